// Hands: second keys, fingers, an input method, the picker of files, what is taken along.
import {Visit, sleep} from './browser.mjs';
import fs from 'node:fs';

const kWalk = '#walk/step/12?N=16&d=4&Br=4&Bc=4';

export default async ({browser, name, address, downloads, test, check, shot}) => {
  const downloaded = async ending => {
    for (let k = 0; k < 100; ++k, await sleep(200)) {
      const found = fs.readdirSync(downloads).find(file => file.endsWith(ending));
      if (found) return `${downloads}/${found}`;
    }
    throw new Error(`no ${ending} was downloaded: ${fs.readdirSync(downloads)}`);
  };

  await test('what browsers keep for themselves has other keys, and Ctrl+Shift+V saves numbers', async () => {
    const visit = await Visit.open(browser, address + kWalk, {width: 1600, height: 900});
    await visit.press('F1');
    await shot(visit, 'keys');
    await visit.press('Escape');
    await visit.press('m');
    await shot(visit, 'menu');
    await visit.press('Escape');
    await visit.press('y', 'Control', 'Shift');
    await visit.until('tilewalk.saved.some(file => file.name === "tilewalk-progress.csv")', 10);
    await visit.press('v', 'Control', 'Shift');
    await visit.until('tilewalk.saved.some(file => /fa2-step.*[.]csv$/.test(file.name))', 10);
    const csv = fs.readFileSync(await downloaded('.csv'), 'utf8');
    check(csv.split('\n').length > 1, csv.slice(0, 200));
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('on a Mac ⌘ stands for Ctrl, and the key sheet says so', async () => {
    const visit = await Visit.open(browser, address + kWalk, {
      width: 1600, height: 900, before: () => Object.defineProperty(Navigator.prototype, 'platform', {get: () => 'MacIntel'})});
    await visit.press('c', 'Meta');
    await visit.until('tilewalk.copied', 10);
    check((await visit.told('copied') || '').startsWith('tilewalk://walk/step/12'), await visit.told('copied'));
    await visit.press('F1');
    await shot(visit, 'keys-mac');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('several files are picked at once', async () => {
    const visit = await Visit.open(browser, address + kWalk);
    const array = (shape, value) => {
      const head = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
      const text = head.padEnd(128 - 11, ' ') + '\n', count = shape[0] * shape[1];
      const bytes = Buffer.alloc(128 + 4 * count);
      bytes.write('\x93NUMPY\x01\x00', 0, 'latin1');
      bytes.writeUInt16LE(118, 8);
      bytes.write(text, 10, 'latin1');
      for (let k = 0; k < count; ++k) bytes.writeFloatLE(value + k / 64, 128 + 4 * k);
      return bytes;
    };
    const files = ['q', 'k', 'v'].map((letter, at) => {
      fs.writeFileSync(`${downloads}/${letter}.npy`, array([12, 4], at));
      return `${downloads}/${letter}.npy`;
    });
    const field = await visit.page.$('#files');
    const asked = visit.page.evaluate(() => new Promise(done => {
      document.getElementById('files').addEventListener('click', event => { event.preventDefault(); done(true); }, {once: true});
    }));
    await visit.press('o', 'Control');
    check(await asked, 'Ctrl+O asks for no files');
    await field.uploadFile(...files);
    await visit.until("location.hash.includes('inputs=') || location.hash.includes('N=12')", 20);
    check(/N=12/.test(await visit.hash()), await visit.hash());
    await shot(visit, 'own-files');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('what is taken along comes back', async () => {
    let visit = await Visit.open(browser, address + '#lesson/2/beat/1');
    await visit.go('#lesson/11/beat/2');
    await visit.press('k', 'Control', 'Shift');
    const kept = await downloaded('.kept');
    const files = JSON.parse(fs.readFileSync(kept, 'utf8')).files;
    check('progress.json' in files, Object.keys(files).join(', '));
    const lessons = Object.keys(JSON.parse(files['progress.json']).lessons);
    check(lessons.length >= 2, lessons.join(', '));
    await visit.close();
    visit = await Visit.open(browser, address.replace('127.0.0.1', 'localhost') + '#lesson/1/beat/1');  // another origin
    await (await visit.page.$('#files')).uploadFile(kept);
    await visit.until(`${JSON.stringify(lessons)}.every(lesson =>
      lesson in JSON.parse(tilewalk.kept()['/kept/data/progress.json']).lessons)`, 20);
    await visit.quiet();
    await shot(visit, 'brought');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('an input method composes into the field, and what it gives is typed', async () => {
    const visit = await Visit.open(browser, address + kWalk);
    await visit.press('g');
    await visit.until("!document.getElementById('field').hidden && document.activeElement.id === 'field'", 10);
    await visit.page.evaluate(() => {
      const field = document.getElementById('field');
      field.dispatchEvent(new CompositionEvent('compositionstart', {data: ''}));
      field.dispatchEvent(new CompositionEvent('compositionend', {data: '14'}));
    });
    await visit.quiet();
    await shot(visit, 'composed');
    await visit.press('Enter');
    await visit.until("location.hash.startsWith('#walk/step/14')", 10);
    await visit.press('g');
    await visit.page.keyboard.type('15');
    await visit.press('Enter');
    await visit.until("location.hash.startsWith('#walk/step/15')", 10);
    check(await visit.page.evaluate("document.activeElement.id === 'canvas'"), 'the canvas has not got the keys back');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('fingers: a tap presses, a long press shows the tip, two fingers pinch', async () => {
    if (name !== 'chromium') return;  // Firefox's protocol has no two fingers
    const visit = await Visit.open(browser, address + '#lesson/2/beat/1', {width: 1280, height: 800});
    const cdp = await visit.page.createCDPSession();
    const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
    await visit.go(kWalk);
    const before = await visit.page.evaluate('location.hash');
    const [x, y] = await visit.page.evaluate(() => tilewalk.place('command:part-forward')) || [];
    check(x > 0 && y > 0, 'the step button is not on show');
    await touch('touchStart', [x, y]);
    await touch('touchEnd');
    await visit.until(`location.hash !== ${JSON.stringify(before)}`, 10);
    await touch('touchStart', [x, y]);
    await sleep(1500);
    const pressed = await visit.page.evaluate('location.hash');
    await touch('touchEnd');
    await sleep(500);
    await shot(visit, 'tip');
    check(await visit.page.evaluate('location.hash') === pressed, 'a long press pressed');
    await touch('touchStart', [500, 400], [700, 400]);
    for (let k = 1; k <= 10; ++k) await touch('touchMove', [500 - 15 * k, 400], [700 + 15 * k, 400]);
    await touch('touchEnd');
    await visit.until('/scale = 1\\.[1-9]/.test(tilewalk.kept()["/kept/config/settings.toml"])', 10);
    await visit.press('0', 'Control');
    await sleep(1200);
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });
};
