// Random events in the page, TILEWALK_EVENTS of them (100,000 is the goal; a short run is part of every test): keys with
// and without modifiers, the pointer, the wheel, links, what is dropped and pasted. Nothing may show in the console, and
// no turn may take a second but one that saves a picture. TILEWALK_SEED is the first seed: many runs can share the work.
import {Visit} from './browser.mjs';

const kEvents = Number(process.env.TILEWALK_EVENTS || 5000), kAtOnce = 500, kFirst = Number(process.env.TILEWALK_SEED || 1);
const kMostHeap = 96;  // MB
const kTold = 10000;   // events after which a long run says how far it is
const kMostTurn = 100, kNever = 1000;  // milliseconds: of longer turns it is said what went before; how many there are depends on what else runs

export default async ({browser, name, address, test, check, shot}) => {
  await test(`${kEvents} random events without a word in the console`, async () => {
    const visit = await Visit.open(browser, address + '#walk/step/12?N=64&d=16&Br=16&Bc=16', {before: () => {
      HTMLAnchorElement.prototype.click = () => {};  // what is saved is not wanted
      HTMLInputElement.prototype.click = () => {};   // nor is a list of files
      window.open = () => null;
      Element.prototype.requestFullscreen = () => Promise.reject();
    }});
    const megabytes = async what => Math.round(await visit.told(what) / 1048576);
    const heap = async () => `heap ${await megabytes('heap()')} MB, ${await megabytes('used()')} of them in use`;
    let done = 0, slowTurns = 0, hung = 0;
    for (let seed = kFirst; done < kEvents; ++seed, done += kAtOnce) {
      const slow = await visit.page.evaluate(async (seed, count, most) => {
        const recent = [], slow = [];
        let label = '', before = tilewalk.saved.filter(({name}) => /\.(png|gif)$/.test(name)).length;
        const next = () => {
          seed = seed + 0x6d2b79f5 | 0;
          let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
          t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
          return ((t ^ t >>> 14) >>> 0) / 4294967296;
        };
        const of = list => list[Math.floor(next() * list.length)], canvas = document.getElementById('canvas');
        const kKeys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'Tab', 'Enter', 'Escape',
                       ' ', 'Backspace', 'Delete', 'F1', 'F5', 'F6', 'F11', ...'abcdefghijklmnopqrstuvwxyz0123456789[]+-?/.,<>éλ'];
        const kLinks = ['lesson/6/beat/3', 'lesson/12/beat/4', 'walk/step/40?N=64&d=16&Br=16&Bc=16', 'board/roofline', 'board/curves',
                        'lesson/8/beat/2', 'lesson/14/beat/3', 'lesson/11/beat/4', 'nowhere'];
        let x = 0, y = 0, held = false;
        for (let k = 0; k < count; ++k) {
          const what = next();
          if (what < 0.45) {
            const init = {key: of(kKeys), ctrlKey: next() < 0.15, shiftKey: next() < 0.2, altKey: next() < 0.03, bubbles: true, cancelable: true};
            label = `${init.ctrlKey ? 'Ctrl+' : ''}${init.shiftKey ? 'Shift+' : ''}${init.altKey ? 'Alt+' : ''}${init.key}`;
            for (const kind of ['keydown', 'keyup']) (document.activeElement || canvas).dispatchEvent(new KeyboardEvent(kind, init));
          } else if (what < 0.9) {
            if (next() < 0.8) x = next() * innerWidth, y = next() * innerHeight;
            const kind = what < 0.65 ? 'pointermove' : held ? 'pointerup' : 'pointerdown';
            if (kind !== 'pointermove') held = !held;
            label = `${kind} ${Math.round(x)},${Math.round(y)}`;
            canvas.setPointerCapture = () => {};
            canvas.dispatchEvent(new PointerEvent(kind, {clientX: x, clientY: y, button: 0, pointerType: 'mouse', pointerId: 1, bubbles: true}));
          } else if (what < 0.96) {
            label = 'wheel';
            canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: next() * 400 - 200, clientX: x, clientY: y, bubbles: true, cancelable: true}));
          } else if (what < 0.975) {
            label = 'link', location.hash = of(kLinks);
          } else if (what < 0.985) {
            const data = new DataTransfer();
            label = 'paste';
            data.setData('text', of(['37', 'K 3 2 = 0.5', 'tilewalk://lesson/6/beat/2', '<script>', '2^20']));
            dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, cancelable: true}));
          } else if (what < 0.995) {
            label = 'mirror';
            const stops = document.querySelectorAll('#mirror [tabindex]');
            if (stops.length) (next() < 0.5 ? of([...stops]).click() : of([...stops]).focus());
          } else {
            label = 'blur and resize';
            dispatchEvent(new Event('blur'));
            dispatchEvent(new Event('resize'));
          }
          recent.push(`${label} @${location.hash.slice(0, 40)}`);
          if (recent.length > 8) recent.shift();
          if (k % 8 !== 7) continue;
          await new Promise(requestAnimationFrame);
          const {longest} = tilewalk;
          const pictures = tilewalk.saved.filter(({name}) => /\.(png|gif)$/.test(name)).length;
          if (longest > most && pictures === before) slow.push(`${Math.round(longest)} ms after ${recent.join('; ')}`);
          before = pictures;
          tilewalk.slowest = Math.max(tilewalk.slowest || 0, longest), tilewalk.longest = 0;
        }
        return slow;
      }, seed, kAtOnce, kMostTurn);
      for (const turn of slow) console.log(`  seed ${seed}: ${turn}`);
      slowTurns += slow.length, hung += slow.filter(turn => parseInt(turn, 10) > kNever).length;
      const bad = visit.complaints.splice(0);
      check(bad.length === 0, `seed ${seed}: ${bad.slice(0, 3).join('; ')}`);
      if (bad.length > 0 && bad.some(said => said.startsWith('error'))) break;
      if ((done + kAtOnce) % kTold === 0) console.log(`  after ${done + kAtOnce} events: ${await heap()}`);
    }
    await visit.quiet(500);
    await shot(visit, 'after-events');
    console.log(`  ${done} events: ${slowTurns} turns over ${kMostTurn} ms that saved no picture; the longest of all ` +
                `${Math.round(await visit.told('slowest'))} ms, ${await heap()}`);
    check(await megabytes('heap()') <= kMostHeap, `the heap is ${await megabytes('heap()')} MB`);
    check(hung === 0, `${hung} turns that saved no picture took over ${kNever} ms`);
    check(Math.max(await visit.told('slowest'), await visit.told('longest')) < 20000, 'a turn hung');
    await visit.close();
  });
};
