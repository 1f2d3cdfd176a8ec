// What the page costs: node measure.mjs ADDRESS chromium|firefox. Times in milliseconds since the navigation began, at
// 1600x900. Run it on a quiet machine.
import {Visit, launch, sleep} from './browser.mjs';

const [address, name] = process.argv.slice(2);
const browser = await launch(name);
const size = {width: 1600, height: 900};
const figures = {};

for (const visit_number of ['first', 'second']) {
  const visit = await Visit.open(browser, address + '#start', size);
  const at = async what => Math.round(await visit.told(what));
  figures[`${visit_number} visit`] = {program_ready: await at('ready'), started: await at('started'),
                                      first_frame: await at('first'), longest_turn: await at('longest')};
  await visit.close();
}

const visit = await Visit.open(browser, address + '#walk/step/12?N=64&d=16&Br=16&Bc=16', size);
const frames = [];
for (let step = 0; step < 40; ++step) {
  await visit.page.keyboard.press('ArrowRight');
  await sleep(60);
  frames.push(await visit.page.evaluate('tilewalk.frame()'));
  await sleep(60);
}
frames.sort((a, b) => a - b);
figures.frame_while_stepping = {median: frames[20], p90: frames[36], max: frames[39]};
await visit.quiet(1000);
const turns = await visit.told('turns');
await sleep(10000);
figures.idle_turns_in_10_s = await visit.told('turns') - turns;
for (const place of ['#lesson/14/beat/3', '#board/curves', '#lesson/6/beat/4']) await visit.go(place);
figures.heap_mb = await visit.page.evaluate('tilewalk.heap() / 1048576');
figures.longest_turn_of_all = Math.round(await visit.told('longest'));
figures.longest_mirror = Math.round(await visit.told('longestMirror'));
figures.complaints = visit.complaints;
await browser.close();
console.log(`${name}: ${JSON.stringify(figures, null, 1)}`);
