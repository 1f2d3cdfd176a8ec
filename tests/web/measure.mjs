// What the page costs, and what it may: node measure.mjs SITE chromium|firefox. Times in milliseconds since the
// navigation began, at 1600x900. Leaves with 1 where something costs more. It takes a quiet machine.
import {Visit, launch, sleep} from './browser.mjs';
import {serve} from './server.mjs';
import os from 'node:os';

const [site, name] = process.argv.slice(2);
const size = {width: 1600, height: 900}, kVisits = 5;
const server = await serve(site), browser = await launch(name), place = server.address + '#lesson/6/beat/2';
let failed = 0;

function told(what, figure, most, more = '') {
  const good = figure <= most;
  if (!good) ++failed;
  console.log(`${good ? '' : 'TOO MUCH: '}${name}: ${what}: ${Math.round(10 * figure) / 10} of at most ${most}${more}`);
}
const middle = of => of.sort((a, b) => a - b)[of.length >> 1];

console.log(`The machine's load when this began: ${os.loadavg()[0].toFixed(1)}`);
const starts = [];
for (let k = 0; k < kVisits; ++k) {
  const visit = await Visit.open(browser, place, size);
  starts.push(await visit.page.evaluate('[tilewalk.ready, tilewalk.started, tilewalk.first].map(Math.round)'));
  if (k === 0) await visit.until('tilewalk.offline', 60);
  if (k === 0) console.log(`  the program was there, started, and drawn after ${starts[0].join(', ')} ms`);
  await visit.close();
}
told('first visit, ms to the first picture', starts[0][2], 1500);
told('next visit, ms to the first picture, median', middle(starts.slice(1).map(of => of[2])), 700,
     `; ready, started, drawn: ${starts.slice(1).map(of => of.join('/')).join(' ')}`);

const visit = await Visit.open(browser, server.address + '#walk/step/12?N=64&d=16&Br=16&Bc=16', size);
await visit.quiet(1000);
await visit.page.evaluate('tilewalk.longest = 0');
const frames = [];
for (let step = 0; step < 41; ++step) {
  const before = await visit.told('turns');
  await visit.page.keyboard.press('ArrowRight');
  await visit.until(`tilewalk.turns > ${before}`);
  frames.push(await visit.page.evaluate('tilewalk.frame()'));
  await visit.quiet(60);
}
told('frame while stepping, ms, median', middle(frames), 8, `; nine of ten within ${frames[36].toFixed(1)}`);
await visit.quiet(1000);
const turns = await visit.told('turns');
await sleep(10000);
told('turns in 10 s while nothing changes', await visit.told('turns') - turns, 0);
for (const there of ['#lesson/14/beat/3', '#board/curves', '#lesson/6/beat/4']) await visit.go(there);
told('the longest turn, ms', await visit.told('longest'), 100);
told('heap, MB', await visit.page.evaluate('tilewalk.heap() / 1048576'), 96);
told('complaints in the console', visit.complaints.length, 0, visit.complaints.join('; '));
await browser.close();
await server.stop();
process.exit(failed ? 1 : 0);
