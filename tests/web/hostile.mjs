// What strangers may hand the page: files, lessons, links, recordings, all that was kept, each damaged in many ways. It
// says what is wrong and goes on: no error in the console, no turn that hangs, and no script of theirs ever runs.
import {Visit, sleep} from './browser.mjs';
import fs from 'node:fs';

const kSource = process.env.TILEWALK_SOURCE, kTries = Number(process.env.TILEWALK_HOSTILE || 40);
const kLongestTurn = 8000;  // milliseconds, of software WebGL on a busy machine
const kScripts = ['<script>window.planted=true</script>', '<img src=x onerror="window.planted=true">', '[x](javascript:window.planted=true)',
                  '<svg onload="window.planted=true">', '"><iframe srcdoc="<script>parent.planted=true</script>">'];

// The same numbers each time.
function random(seed) {
  return () => {
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}

// Damages a file as the fuzzers of tests/fuzz do: bits, bytes, pieces left out, doubled or put elsewhere, numbers from
// hell, the end missing.
function damaged(bytes, next) {
  let out = Buffer.from(bytes);
  const at = () => Math.floor(next() * (out.length + 1)), some = () => Math.floor(next() * next() * 200);
  const kHell = ['-1', '1e999', '9'.repeat(40), 'NaN', 'null', '[[[[[[[[', '{"a":', '\x00', '\xff\xfe', '../../x', ...kScripts];
  for (let k = Math.floor(next() * 6) + 1; k > 0; --k) {
    const from = at(), what = Math.floor(next() * 6);
    if (what === 0 && out.length) out[Math.min(from, out.length - 1)] ^= 1 << Math.floor(next() * 8);
    if (what === 1) out = Buffer.concat([out.subarray(0, from), out.subarray(from + some())]);
    if (what === 2) out = Buffer.concat([out.subarray(0, from), out.subarray(from, from + some()), out.subarray(from)]);
    if (what === 3) out = Buffer.concat([out.subarray(0, from), Buffer.from(kHell[Math.floor(next() * kHell.length)], 'latin1'), out.subarray(from)]);
    if (what === 4) out = out.subarray(0, Math.floor(next() * (out.length + 1)));
    if (what === 5 && out.length) out[Math.min(from, out.length - 1)] = Math.floor(next() * 256);
  }
  return out;
}

function npy() {
  const head = "{'descr': '<f4', 'fortran_order': False, 'shape': (12, 4), }".padEnd(117, ' ') + '\n', bytes = Buffer.alloc(128 + 192);
  bytes.write('\x93NUMPY\x01\x00', 0, 'latin1');
  bytes.writeUInt16LE(118, 8);
  bytes.write(head, 10, 'latin1');
  for (let k = 0; k < 48; ++k) bytes.writeFloatLE(k / 7, 128 + 4 * k);
  return bytes;
}

// A lesson that would like to run a script.
const scripted = (script, k) => Buffer.from(`+++\nid = "planted-${k}"\nnumber = 0\nphase = 1\ntitle = '${script}'\nbrief = "x"\nminutes = 1\n+++\n
## hook: ${script}\n\n${script} and [a link](term:sram).\n\n\`\`\`scene\nstage = "clocks"\n\`\`\`\n`);

const filesUnder = folder => fs.readdirSync(folder).filter(name => fs.statSync(`${folder}/${name}`).isFile())
  .map(name => fs.readFileSync(`${folder}/${name}`));

// Drops the files one after the other inside the page, and gives it time for a turn or two after each.
const drop = (visit, files) => visit.page.evaluate(async files => {
  for (const [name, content] of files) {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(content), letter => letter.charCodeAt(0))], name));
    const before = tilewalk.turns;
    dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
    for (let k = 0; k < 100 && tilewalk.turns < before + 2; ++k) await new Promise(done => setTimeout(done, 10));
  }
}, files.map(([name, bytes]) => [name, bytes.toString('base64')]));

export default async ({browser, address, test, check, shot}) => {
  const settle = async (visit, what) => {
    await visit.quiet(300);
    check(await visit.page.evaluate('window.planted === undefined'), `${what}: a script ran`);
    check(await visit.page.evaluate("document.querySelectorAll('#mirror script, #mirror img, #mirror iframe, #mirror svg, #mirror a').length === 0"),
          `${what}: its markup became elements`);
    check(visit.complaints.length === 0, `${what}: ${visit.complaints.slice(0, 3).join('; ')}`);
    check(await visit.told('longest') < kLongestTurn, `${what}: a turn took ${Math.round(await visit.told('longest'))} ms`);
    console.log(`  ${what}: the longest turn so far ${Math.round(await visit.told('longest'))} ms, heap ${Math.round(await visit.told('heap()') / 1048576)} MB`);
    visit.complaints.length = 0;
  };

  await test('damaged files, recordings, set lists and lessons do no harm', async () => {
    const visit = await Visit.open(browser, address + '#walk/step/12?N=16&d=4&Br=4&Bc=4');
    const next = random(20261122);
    const lessons = [...filesUnder(kSource + '/tests/lessons/corpus'), ...filesUnder(kSource + '/lessons/en').slice(0, 4),
                     ...kScripts.map(script => scripted(script, 'own'))];
    const settings = [...filesUnder(kSource + '/tests/fuzz/corpus/settings'), Buffer.from('theme = "dark"\nspeed = 2\nscale = 1\n')];
    const kept = (files) => Buffer.from(JSON.stringify({tilewalk_kept: 1, files}));
    const text = bytes => bytes.toString('latin1');
    const corpora = {
      npy: ['a.npy', () => damaged(npy(), next)],
      safetensors: ['a.safetensors', () => damaged(fs.readFileSync(kSource + '/assets/inputs/induction-head.safetensors'), next)],
      links: ['a.link', () => damaged(Buffer.from('tilewalk://walk/step/12?N=16&d=4&Br=4&Bc=4&mask=causal'), next)],
      recordings: ['a.json', () => damaged(fs.readFileSync(kSource + '/assets/recordings/h100-ring.json'), next)],
'set lists': ['a.set', () => damaged(Buffer.from('tilewalk://lesson/6/beat/2  # a note\ntilewalk://board/curves # <b>x</b>\n'), next)],
      'all that was kept': ['a.kept', () => damaged(kept({'settings.toml': 'theme = "dark"\n', 'notes.json': '{}', 'progress.json': '{}'}), next)],
      settings: ['a.kept', () => kept({'settings.toml': text(damaged(settings[Math.floor(next() * settings.length)], next))})],
      lessons: ['a.kept', () => kept({'lessons/own.md': text(damaged(lessons[Math.floor(next() * lessons.length)], next))})],
    };
    // Undamaged ones are taken, so that what follows is looked at.
    await drop(visit, [['a.npy', npy()]]);
    await visit.quiet(500);
    check(/N=12/.test(await visit.hash()), `a good file leads to ${await visit.hash()}`);
    for (const [what, [file, make]] of Object.entries(corpora)) {
      const files = Array.from({length: kTries}, () => [file, make()]);
      if (what === 'lessons') files.unshift(...lessons.map(lesson => [file, kept({'lessons/own.md': text(lesson)})]));
      await drop(visit, files);
      await visit.press('Escape');
      await settle(visit, `${files.length} ${what}`);
    }
    const kept_here = await visit.page.evaluate('tilewalk.kept()');
    check('/kept/data/lessons/own.md' in kept_here, `kept are ${Object.keys(kept_here).join(', ')}`);
    // What was brought in is there, is read at the next start, and still nothing of it runs.
    await visit.page.reload();
    await visit.until('window.tilewalk && tilewalk.first');
    await settle(visit, 'after a reload');
    for (const [k, script] of kScripts.entries()) {
      const file = `lessons/planted-${k}.md`;  // a file that is there already stays
      await drop(visit, [['a.kept', kept({[file]: String(scripted(script, k))})]]);
      await visit.until(`(tilewalk.kept()['/kept/data/${file}'] || '').includes(${JSON.stringify(script)})`, 20);
      await sleep(1500);
      await visit.page.reload();
      await visit.until('window.tilewalk && tilewalk.first');
      await visit.go(`#lesson/planted-${k}/beat/1`);
      const text = "document.querySelector('#mirror section')?.textContent";
      await visit.until(`${text}?.includes('Beat 1 of 1')`, 20);
      check((await visit.page.evaluate(text)).includes(script), `the lesson called ${script} is not told as it is written`);
      await settle(visit, `a lesson called ${script}`);
    }
    await shot(visit, 'planted');
    await visit.go('#lesson/2/beat/1');
    check((await visit.hash()).startsWith('#lesson/2/beat/1'), await visit.hash());
    await visit.close();
  });

  await test('damaged addresses do no harm', async () => {
    const visit = await Visit.open(browser, address + '#lesson/2/beat/1'), next = random(7);
    const seeds = ['#walk/step/12?N=64&d=16&Br=16&Bc=16&seed=7', '#lesson/6/beat/3?score=4', '#board/curves?gpu=h100&N=4096', ...kScripts.map(script => '#' + script)];
    const links = Array.from({length: 3 * kTries}, () => '#' + damaged(Buffer.from(seeds[Math.floor(next() * seeds.length)].slice(1)), next).toString('latin1'));
    await visit.page.evaluate(async links => {
      for (const link of links) {
        if (link.length < 2) continue;
        location.hash = link;
        await new Promise(done => setTimeout(done, 40));
      }
    }, links);
    await settle(visit, `${links.length} addresses`);
    await visit.close();
  });
};
