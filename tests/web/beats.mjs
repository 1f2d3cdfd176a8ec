// Every beat of every lesson, opened by its link inside one page: its picture held against the native program's, its tree
// for screen readers checked by axe-core, and each of its questions answered. TILEWALK_NATIVE is the
// native program, TILEWALK_SOURCE the folder that both were built from.
import {Visit, sleep} from './browser.mjs';
import {execFileSync} from 'node:child_process';
import {createRequire} from 'node:module';
import fs from 'node:fs';

const kNative = process.env.TILEWALK_NATIVE, kLessons = process.env.TILEWALK_SOURCE + '/lessons/en';
const kSize = {width: 1920, height: 1080};  // at which the native program draws a window at 100 %
// Compared is what stands right of the list of lessons and below the bar: those tell of progress, and of the GPU.
const kFrom = [264, 48];
// How far apart on the mean, of the channels' whole range; and how many pixels differ by more than a fifth of it.
const kMostMean = 0.005, kMostFar = 0.002;
const kCompare = `
import json, sys
from PIL import Image, ImageChops, ImageStat
for name, ours, native in json.load(sys.stdin):
    a, b = (Image.open(path).convert('RGB') for path in (ours, native))
    a, b = (one.crop((${kFrom}, *one.size)) for one in (a, b))
    apart = ImageChops.difference(a, b) if a.size == b.size else None
    far = sum(apart.convert('L').histogram()[51:]) / (a.size[0] * a.size[1]) if apart else 1
    print(json.dumps([name, sum(ImageStat.Stat(apart).mean) / 3 / 255 if apart else 1, far]))
`;

// Each lesson's links, and how many questions its file asks in the lesson itself, not only in a review of ten.
function lessons() {
  return fs.readdirSync(kLessons).filter(file => file.endsWith('.md')).sort().map(file => {
    const text = fs.readFileSync(`${kLessons}/${file}`, 'utf8');
    const number = /^number = (\d+)/m.exec(text), id = /^id = "(.*)"/m.exec(text)[1];
    const beats = text.match(/^## (hook|explore|predict|reveal|break|check|compute)/gm).length;
    const place = Number(number?.[1]) > 0 ? number[1] : id;
    return {links: Array.from({length: beats}, (_, k) => `lesson/${place}/beat/${k + 1}`),
            questions: (text.match(/^```(ask|predict)/gm) || []).length - (text.match(/^drill = true/gm) || []).length};
  });
}

const kHeading = "[...document.querySelectorAll('#mirror h2, #mirror h3')].slice(0, 2).map(h => h.textContent).join()";
const nativePicture = (work, k) => `${work}/beats/native-${String(k + 1).padStart(3, '0')}.png`;

// What the mirror says of the question on show.
const asked = visit => visit.page.evaluate(() => {
  const at = id => document.querySelector(`#mirror [data-id="${id}"]`);
  const title = [...document.querySelectorAll('#mirror h3')].map(h => h.textContent)
    .find(text => /^(Your prediction|Question)/.test(text)) || '';
  const [, place, count] = /Question (\d+) of (\d+)/.exec(title) || [0, 1, 1];
  return {asks: title !== '', title, last: place === count, options: document.querySelectorAll('#mirror [role=radio]').length,
          verdict: at('verdict')?.textContent || '', again: title.includes('again')};
});

async function press(visit, ...keys) {
  for (const key of keys) {
    await visit.page.keyboard.press(key);
    await visit.quiet(150);
  }
  await sleep(130);  // the mirror follows
}

// How many questions were answered that belong to the beat.
async function answer(visit, check, link) {
  let answered = 0;
  for (let k = 0; k < 8; ++k) {
    let now = await asked(visit);
    if (!now.asks) break;
    if (!now.verdict) await press(visit, '1', 'Enter');
    for (let waited = 0; waited < 50 && !(now = await asked(visit)).verdict; ++waited) await sleep(100);
    check(now.verdict !== '', `${link}: question ${k + 1} has no verdict after its answer`);
    if (!now.verdict) break;
    if (!now.again) ++answered;
    if (now.last) break;
    await press(visit, 'Enter');
    for (let waited = 0; waited < 50 && (await asked(visit)).title === now.title; ++waited) await sleep(100);
  }
  return answered;
}

export default async ({browser, name, address, work, pictures, test, check}) => {
  await test('every beat is as natively, is told without a serious fault, and its questions take answers', async () => {
    const all = lessons(), links = all.flatMap(lesson => lesson.links);
    check(links.length > 100, `${links.length} beats`);
    fs.mkdirSync(`${work}/beats`, {recursive: true});
    execFileSync(kNative, ['export', '--window', '--size', `${kSize.width}x${kSize.height}`, '-o', `${work}/beats/native.png`,
                           ...links.map(link => 'tilewalk://' + link)], {stdio: ['ignore', 'ignore', 'inherit']});
    // An exported window has no desk of recordings; one that is opened has, and the lanes show them.
    for (const [k, link] of links.entries())
      if (link.startsWith('lesson/11/'))
        execFileSync(kNative, ['tilewalk://' + link, '--size', `${kSize.width}x${kSize.height}`, '--screenshot', nativePicture(work, k)]);
    const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const anew = await browser.createBrowserContext();  // with no answers yet: one that was wrong comes back elsewhere
    const visit = await Visit.open(anew, address + '#' + links[0], kSize);
    await visit.page.evaluate(axe);
    const pairs = [], asking = [], found = new Map();
    let questions = 0;
    for (const [k, link] of links.entries()) {
      await visit.page.evaluate(there => { location.hash = there; }, '#' + link);
      await visit.quiet(250);
      check((await visit.hash()).startsWith('#' + link), `${link} leads to ${await visit.hash()}`);
      const ours = `${work}/beats/${k}.png`;
      await visit.picture(ours);
      pairs.push([link, ours, nativePicture(work, k)]);
      const faults = await visit.page.evaluate(async () => (await axe.run(document, {resultTypes: ['violations']})).violations
        .map(({id, impact, nodes}) => ({id, impact, html: nodes[0].html})));
      for (const {id, impact, html} of faults) found.set(id, {impact, html, link});
      if ((await asked(visit)).asks) asking.push([link, await visit.page.evaluate(kHeading)]);
    }
    for (const [link, heading] of asking) {  // afterwards: what was answered wrong comes back in later lessons
      await visit.go('#' + link);
      await visit.until(`${kHeading} === ${JSON.stringify(heading)}`, 20);
      questions += await answer(visit, check, link);
    }
    for (const [id, {impact, html, link}] of found) {
      console.log(`  axe: ${id}, ${impact}, at ${link}: ${html}`);
      check(impact !== 'serious' && impact !== 'critical', `${id} is ${impact} at ${link}`);
    }
    const there = all.reduce((sum, lesson) => sum + lesson.questions, 0);
    check(questions === there, `${questions} questions of ${there} were answered`);
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await anew.close();

    const told = String(execFileSync('/usr/bin/python3', ['-c', kCompare], {input: JSON.stringify(pairs)}));
    const apart = told.trim().split('\n').map(line => JSON.parse(line));
    fs.writeFileSync(`${pictures}/${name}-distances.txt`,
                     apart.map(([link, mean, far]) => `${link} ${mean.toFixed(5)} ${far.toFixed(5)}\n`).join(''));
    const worst = k => apart.reduce((most, row) => row[k] > most[k] ? row : most);
    console.log(`  ${links.length} beats, ${questions} questions; farthest from native: ${worst(1)[0]} ${worst(1)[1].toFixed(4)} ` +
                `on the mean, ${worst(2)[0]} ${worst(2)[2].toFixed(4)} of the pixels`);
    for (const [link, mean, far] of apart) {
      if (mean <= kMostMean && far <= kMostFar) continue;
      check(false, `${link}: ${mean.toFixed(4)} from native on the mean, ${far.toFixed(4)} of the pixels far`);
      const [, ours, native] = pairs.find(pair => pair[0] === link);
      const stem = `${pictures}/${name}-${link.replaceAll('/', '-')}`;
      fs.copyFileSync(ours, `${stem}.png`), fs.copyFileSync(native, `${stem}-native.png`);
    }
  });
};
