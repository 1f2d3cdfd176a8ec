// Presenting: a window of its own for the room, and one alone where the browser lets no second one open.
import {Visit, sleep} from './browser.mjs';

// How many colours the room's canvas shows, and a sum that tells two pictures apart.
const kSeen = () => {
  const canvas = document.querySelector('canvas');
  if (!canvas) return {colors: 0, sum: 0};
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colors = new Set();
  let sum = 0;
  for (let k = 0; k < data.length; k += 4 * 37) {
    const color = data[k] << 16 | data[k + 1] << 8 | data[k + 2];
    colors.add(color);
    sum = (sum * 31 + color) % 2147483647;
  }
  return {colors: colors.size, sum, width: canvas.width, height: canvas.height};
};

export default async ({browser, address, test, check, shot}) => {
  await test('a talk has a window for the room, and notes in this one', async () => {
    const visit = await Visit.open(browser, address + '#lesson/7/beat/2', {width: 1600, height: 900});
    const opened = new Promise(done => visit.page.once('popup', done));
    await visit.press('F8');
    const room = await Promise.race([opened, sleep(10000)]);
    check(room, 'no second window was opened');
    if (!room) return;
    const seen = async () => { await sleep(400); await visit.quiet(300); return room.evaluate(kSeen); };
    const first = await seen();
    check(first.colors > 20 && first.width >= 600, `the room sees ${JSON.stringify(first)}`);
    await shot(visit, 'presenter');
    await room.screenshot({path: `${shot.folder}-room.png`}).catch(() => {});
    const told = await visit.page.evaluate("document.getElementById('mirror').textContent");
    check(/Presenting/.test(told), 'presenting is not told');

    await visit.press('PageDown');
    const next = await seen();
    check(next.sum !== first.sum, 'the next beat does not come to the room');
    await visit.press('f');  // frozen
    await visit.press('PageDown');
    const frozen = await seen();
    check(frozen.sum === next.sum, 'a frozen room goes on');
    await visit.press('f');
    check((await seen()).sum !== next.sum, 'the room stays frozen');
    await visit.press('b');  // blank
    check((await seen()).colors <= 2, `a blank room shows ${(await seen()).colors} colours`);
    await visit.press('b');
    check((await seen()).colors > 20, 'the room stays blank');
    const before = await seen();
    await room.keyboard.press('PageDown');  // a clicker's keys may go to the room's window
    check((await seen()).sum !== before.sum, 'keys in the room\'s window do nothing');
    await visit.page.bringToFront();

    await room.close();
    await visit.until("!/Presenting/.test(document.getElementById('mirror').textContent)", 10);
    await visit.quiet(500);
    await shot(visit, 'room-closed');
    const [x, y] = await visit.page.evaluate(() => tilewalk.place('command:menu'));
    check(x > 0 && y > 0, 'the page without its room has no menu');
    check(/room's window was closed/.test(await visit.page.evaluate("document.getElementById('mirror').textContent")),
          'it is not said why presenting is over');

    const again = new Promise(done => visit.page.once('popup', done));
    await visit.press('F8', 'Shift');
    const second = await Promise.race([again, sleep(10000)]);
    check(second, 'no window is opened for the talk that goes on');
    await second?.keyboard.press('F5');  // no page of its own
    await sleep(500);
    check(second && (await second.evaluate(kSeen)).colors > 20, 'F5 empties the room\'s window');
    await visit.page.bringToFront();
    await visit.press('Escape');
    await visit.press('Escape');
    await visit.quiet();
    check(!/Presenting/.test(await visit.page.evaluate("document.getElementById('mirror').textContent")), 'Esc twice does not end it');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('where no second window may open, this one shows the picture and says what helps', async () => {
    const visit = await Visit.open(browser, address + '#lesson/7/beat/2', {before: () => { window.open = () => null; }});
    await visit.press('F8');
    check(/Allow pop-ups/.test(await visit.told('hinted') || ''), `it says ${await visit.told('hinted')}`);
    await shot(visit, 'one-window');
    await visit.press('Escape');
    await visit.quiet(500);
    const [x, y] = await visit.page.evaluate(() => tilewalk.place('command:menu'));
    check(x > 0 && y > 0, 'one Esc does not lead back to the window');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('F5 and Ctrl+R reload the page; with a set list open a clicker\'s F5 presents', async () => {
    const visit = await Visit.open(browser, address + '#lesson/7/beat/2', {width: 1600, height: 900});
    // Whether the program leaves the key to the browser.
    const left = async (key, ...held) => {
      await visit.page.evaluate(() => {
        const listens = 'leftToBrowser' in window;
        window.leftToBrowser = null;
        if (!listens) addEventListener('keydown', event => {
          if (['Control', 'Shift'].includes(event.key)) return;
          window.leftToBrowser = !event.defaultPrevented;
          event.preventDefault();  // the page stays
        });
      });
      await visit.press(key, ...held);
      return visit.page.evaluate('window.leftToBrowser');
    };
    for (const keys of [['F5'], ['F5', 'Shift'], ['F5', 'Control'], ['r', 'Control'], ['R', 'Control', 'Shift']])
      check(await left(...keys), `${keys.reverse().join('+')} does not reload the page`);
    check((await visit.hash()).startsWith('#lesson/7/beat/2'), `the page is at ${await visit.hash()}`);
    await shot(visit, 'f8');
    await visit.press('g', 'Control');
    check(/inputs=/.test(await visit.hash()), `Ctrl+G is no trained head: ${await visit.hash()}`);
    await visit.page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['tilewalk://lesson/7/beat/2\ntilewalk://lesson/8/beat/1\n'], 'talk.set'));
      dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
    });
    await visit.until("/are in the set list: F8/.test(document.getElementById('mirror').textContent)", 10);
    await visit.press('F1');
    await shot(visit, 'keys-clicker');
    await visit.press('Escape');
    check(await left('F5') === false, 'F5 with a set list reloads the page');
    check(/Presenting/.test(await visit.page.evaluate("document.getElementById('mirror').textContent")), 'F5 does not present');
    await visit.press('F5', 'Control');
    check(!/Presenting/.test(await visit.page.evaluate("document.getElementById('mirror').textContent")), 'Ctrl+F5 does not end it');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });
};
