// Visits: how much the first one fetches, the next one, without a network, and when there is a new version.
import {Visit, sleep} from './browser.mjs';
import {serve} from './server.mjs';
import fs from 'node:fs';
import os from 'node:os';

const kMostBrotli = 3e6, kMostGzip = 4e6;  // bytes, before the first picture
const kNextVisit = 700, kQuiet = 1.5;      // milliseconds to the first picture, on a machine as quiet as that

export default async ({browser, address, site, work, test, check, shot}) => {
  await test('the first picture comes after little was fetched', async () => {
    for (const place of ['#start', '#lesson/9/beat/2']) {
      const visit = await Visit.open(browser, address + place);
      const fetched = await visit.page.evaluate(() => performance.getEntriesByType('resource')
        .filter(entry => entry.startTime < tilewalk.first).map(entry => entry.name));
      let brotli = 0, gzip = 0;
      for (const url of new Set([address + 'index.html', ...fetched])) {
        const path = site + new URL(url).pathname;
        if (!url.startsWith(address) || !fs.existsSync(path)) continue;
        const twin = ending => fs.statSync(fs.existsSync(path + ending) ? path + ending : path).size;
        brotli += twin('.br'), gzip += twin('.gz');
      }
      console.log(`  ${place}: ${fetched.length} files, ${(brotli / 1e6).toFixed(2)} MB brotli, ${(gzip / 1e6).toFixed(2)} MB gzip`);
      check(fetched.length >= 4 && brotli > 1e6, `only ${fetched.length} files were seen`);
      check(brotli <= kMostBrotli && gzip <= kMostGzip, `${brotli} bytes brotli, ${gzip} gzip before the first picture`);
      check(!fetched.some(url => url.includes('-lessons.')), 'the recordings were fetched before the first picture');
      await visit.close();
    }
  });

  await test('recordings come when they are asked for, by a link into them too', async () => {
    const visit = await Visit.open(browser, address + '#lesson/9/beat/2');
    await visit.go('#walk/step/40?N=64&d=16&Br=16&Bc=16');
    await visit.press('4');
    await visit.press('r');
    await visit.until('tilewalk.brought.length', 20);
    await visit.quiet();
    for (const gpu of ['h200', 'h100'])
      check((await visit.told('brought')).includes(`assets/recordings/${gpu}-lessons.json`), `the ${gpu}'s: brought was ${await visit.told('brought')}`);
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await shot(visit, 'recorded');
    await visit.close();
  });

  await test('after the first visit it works offline, in any folder, and says when there is a new version', async () => {
    const folder = work + '/host/some/folder';
    fs.cpSync(site, folder, {recursive: true});
    let host = await serve(work + '/host');
    const there = host.address + 'some/folder/';
    let visit = await Visit.open(browser, there + '#lesson/3/beat/1');
    await visit.until('tilewalk.offline', 60);
    await visit.close();
    await host.stop();
    visit = await Visit.open(browser, there + '#lesson/6/beat/2');
    check((await visit.hash()).startsWith('#lesson/6/beat/2'), `offline: ${await visit.hash()}`);
    await visit.go('#walk/step/40?N=64&d=16&Br=16&Bc=16');
    await visit.press('4');
    await visit.press('r');  // the recordings too
    await visit.until('tilewalk.brought.length', 20);
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    const first = await visit.told('first');
    console.log(`  the next visit, offline: first picture after ${Math.round(first)} ms`);
    check(first < kNextVisit || os.loadavg()[0] > kQuiet, `the next visit's first picture came after ${first} ms`);
    await visit.close();

    // A new version: another program, another name, another worker.
    for (const file of fs.readdirSync(folder).filter(file => file.endsWith('.gz') || file.endsWith('.br')))
      fs.rmSync(`${folder}/${file}`);
    const style = fs.readdirSync(folder).find(file => /^page\..*\.css$/.test(file));
    const next = 'page.0123456789ab.css';
    fs.writeFileSync(`${folder}/${next}`, fs.readFileSync(`${folder}/${style}`, 'utf8') + '#said { color: #123456; }\n');
    fs.rmSync(`${folder}/${style}`);
    for (const file of ['index.html', 'worker.js']) {
      const text = fs.readFileSync(`${folder}/${file}`, 'utf8');
      fs.writeFileSync(`${folder}/${file}`, text.replaceAll(style, next).replace(/kVersion = '\w+'/, "kVersion = 'next'"));
    }
    host = await serve(work + '/host', host.port);
    visit = await Visit.open(browser, there + '#lesson/6/beat/2');
    await visit.until("tilewalk.noticed && tilewalk.noticed.startsWith('A new version')", 30);
    await visit.quiet();
    await shot(visit, 'new-version');
    await visit.page.reload();
    await visit.until('window.tilewalk && tilewalk.first');
    check(await visit.page.evaluate(() => [...document.styleSheets].some(sheet => sheet.href.endsWith('page.0123456789ab.css'))),
          'the new version is not there after a reload');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
    await host.stop();
  });

  await test('two tabs do not undo each other', async () => {
    const one = await Visit.open(browser, address + '#lesson/2/beat/1');
    const two = await Visit.open(browser, address + '#lesson/3/beat/1');
    const kept = async visit => visit.page.evaluate('tilewalk.kept()');
    await one.page.bringToFront();
    await one.go('#lesson/4/beat/2');
    await two.page.bringToFront();
    await two.go('#lesson/5/beat/3');
    await one.page.bringToFront();
    await one.press('t');  // dark
    await sleep(1500);
    await two.page.bringToFront();
    await two.press(']');  // faster
    await sleep(1500);
    for (const visit of [one, two]) {
      const files = await kept(visit);
      const progress = files['/kept/data/progress.json'] || '', settings = files['/kept/config/settings.toml'] || '';
      const places = Object.keys(JSON.parse(progress).lessons || {});
      check(places.length >= 4, `places kept of ${places.join(', ')}`);
      check(/theme = "dark"/.test(settings) && /speed = 2/.test(settings), settings);
    }
    await two.press('[');
    await one.page.bringToFront();
    await one.press('t');
    await one.press('t');
    await sleep(1500);
    for (const visit of [one, two]) {
      check(visit.complaints.length === 0, visit.complaints.join('; '));
      await visit.close();
    }
  });

  await test('a tab that is closed has lost a second at most', async () => {
    let visit = await Visit.open(browser, address + '#lesson/2/beat/1');
    await visit.go('#lesson/8/beat/3');
    await visit.page.keyboard.press('t');
    await sleep(1000);
    await visit.page.close({runBeforeUnload: false});
    visit = await Visit.open(browser, address + '#start');
    check((await visit.hash()).startsWith('#lesson/8'), `it begins at ${await visit.hash()}`);
    check(/theme = "dark"/.test((await visit.page.evaluate('tilewalk.kept()'))['/kept/config/settings.toml']), 'the theme was lost');
    await visit.press('t');
    await visit.press('t');
    await sleep(1200);
    await visit.close();
  });
};
