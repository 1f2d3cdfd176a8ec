// What is taken away in a browser is what the native program writes: TILEWALK_NATIVE is that program.
import {Visit, sleep} from './browser.mjs';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';

const kNative = process.env.TILEWALK_NATIVE;
const kPlaces = [
  ['walk/step/12?N=16&d=4&Br=4&Bc=4', ['svg', 'png', 'csv']],
  ['lesson/1/beat/2', ['svg', 'csv']],
  ['lesson/5/beat/2', ['svg', 'png', 'csv']],
  ['lesson/8/beat/2', ['svg', 'csv']],
  ['board/curves', ['svg', 'png', 'csv']],
];
const kKeys = {svg: ['s', 'Control'], png: ['i', 'Control', 'Shift'], csv: ['v', 'Control', 'Shift']};
const kSizes = {svg: '1920x1080', png: '2560x1440'};
const kPixels = 'import sys; from PIL import Image, ImageChops; a, b = (Image.open(p).convert("RGB") for p in sys.argv[1:]); ' +
                'print(a.size == b.size and ImageChops.difference(a, b).getbbox() is None)';

export default async ({browser, address, work, downloads, test, check}) => {
  await test('what is saved is what the native program writes', async () => {
    for (const [place, formats] of kPlaces) {
      const visit = await Visit.open(browser, `${address}#${place}`);
      const link = 'tilewalk://' + (await visit.hash()).slice(1);
      for (const format of formats) {
        for (const file of fs.readdirSync(downloads)) fs.rmSync(`${downloads}/${file}`, {recursive: true});
        await visit.press(...kKeys[format]);
        const saved = () => fs.readdirSync(downloads).find(file => file.endsWith('.' + format));
        for (let k = 0; k < 150 && !saved(); ++k) await sleep(200);
        check(saved(), `${place}: no ${format} was downloaded`);
        if (!saved()) continue;
        await sleep(300);
        const ours = `${downloads}/${saved()}`, native = `${work}/native.${format}`;
        execFileSync(kNative, ['export', link, '-o', native, ...(kSizes[format] ? ['--size', kSizes[format]] : [])]);
        const same = format === 'png' ? String(execFileSync('/usr/bin/python3', ['-c', kPixels, ours, native])).trim() === 'True'
                                      : fs.readFileSync(ours).equals(fs.readFileSync(native));
        check(same, `${place}: the ${format} is another one than natively`);
        if (same || format === 'png') continue;
        const [a, b] = [ours, native].map(file => fs.readFileSync(file, 'latin1'));
        const at = [...a].findIndex((letter, k) => letter !== b[k]);
        console.log(`  from byte ${at} on: ${a.slice(at - 60, at + 80)}\n  natively: ${b.slice(at - 60, at + 80)}`);
      }
      check(visit.complaints.length === 0, visit.complaints.join('; '));
      await visit.close();
    }
  });

  // By the dialog, whose choices are pressed where a screen reader finds them.
  const taken = [
    ['walk/step/0?N=8&d=4&Br=4&Bc=4&row=1', ['choice:export-what/steps', 'choice:export-format/gif'], 'gif', ['--steps', 'all', '--unit', 'part', '--size', '1280x720', '--footer']],
    ['lesson/6/beat/2?row=1', ['choice:export-what/steps', 'choice:export-format/gif'], 'gif', ['--steps', 'all', '--size', '1280x720', '--footer']],
    ['lesson/6/beat/2', ['choice:export-what/lesson'], 'html', ['--lesson', '6'], true],
    ['lesson/9/beat/1', ['choice:export-what/lesson'], 'html', ['--lesson', '9'], true],
  ];
  await test('what the dialog writes is what the native program writes', async () => {
    for (const [place, choices, ending, options, whole] of taken) {
      const visit = await Visit.open(browser, `${address}#${place}`);
      const link = 'tilewalk://' + (await visit.hash()).slice(1);
      for (const file of fs.readdirSync(downloads)) fs.rmSync(`${downloads}/${file}`, {recursive: true});
      await visit.press('e', 'Control', 'Shift');
      await sleep(300);
      for (const id of [...choices, 'export:write']) {
        const at = `document.querySelector('#mirror [data-id="${id}"]')`;
        const pressed = await visit.until(at, 10).then(() => true, () => false);
        if (pressed) await visit.page.evaluate(`${at}.click()`);
        check(pressed, `${place}: the dialog has no ${id}`);
        await visit.quiet(300);
        await sleep(150);
      }
      const saved = () => fs.readdirSync(downloads).find(file => file.endsWith('.' + ending));
      for (let k = 0; k < 300 && !saved(); ++k) await sleep(200);
      check(saved(), `${place}: no ${ending} was downloaded`);
      if (saved()) {
        await sleep(500);
        execFileSync(kNative, ['export', ...(whole ? [] : [link]), ...options, '-o', `${work}/native.${ending}`]);
        const [ours, native] = [`${downloads}/${saved()}`, `${work}/native.${ending}`].map(file => fs.readFileSync(file));
        check(ours.equals(native), `${place}: the ${ending} is another one than natively, ${ours.length} bytes and ${native.length}`);
      }
      check(visit.complaints.length === 0, visit.complaints.join('; '));
      await visit.close();
    }
  });
};
