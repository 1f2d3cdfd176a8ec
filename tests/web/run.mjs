// The page in a real browser: node run.mjs SITE PICTURES chromium|firefox [WORD]. Leaves with 1 where a check failed.
// WORD: only the tests of that name (a file of this folder without its ending), or whose title has it.
import {launch} from './browser.mjs';
import {serve} from './server.mjs';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import beats from './beats.mjs';
import classroom from './classroom.mjs';
import crowd from './crowd.mjs';
import events from './events.mjs';
import exports from './exports.mjs';
import front from './front.mjs';
import hands from './hands.mjs';
import hostile from './hostile.mjs';
import places from './places.mjs';
import readers from './readers.mjs';
import room from './room.mjs';
import visits from './visits.mjs';

const [site, pictures, name, word = ''] = process.argv.slice(2);
fs.mkdirSync(pictures, {recursive: true});
const work = fs.mkdtempSync(os.tmpdir() + '/tilewalk-web-');
const downloads = work + '/downloads';
fs.mkdirSync(downloads);
const server = await serve(site);
const browser = await launch(name, downloads);
let passed = 0, failed = 0, part = '';

function check(good, what) {
  good ? ++passed : ++failed;
  if (!good) console.log(`FAILED ${name}: ${what}`);
}

async function test(title, act) {
  if (!title.includes(word) && word !== part) return;
  const begun = Date.now();
  try {
    await act();
  } catch (error) {
    check(false, `${title}: ${error.message}`);
  }
  console.log(`${name}: ${title}, ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

const file = what => `${pictures}/${name}-${what}.png`;
const shot = (visit, what) => visit.picture(file(what));
shot.folder = `${pictures}/${name}`;
// How many colours a picture has: of what was not drawn there are one or two.
const kCount = 'import sys; from PIL import Image; ' +
               'print(len(set(Image.open(sys.argv[1]).convert("RGB").resize((320, 180), 0).getdata())))';
const colors = what => Number(execFileSync('/usr/bin/python3', ['-c', kCount, file(what)]));

// The places first: they ask what a first visit is like, and all share one profile.
const around = {browser, name, address: server.address, site, work, pictures, downloads, test, check, shot, colors};
for (const [its, tests] of Object.entries({places, visits, hands, readers, room, classroom, crowd, exports, beats, hostile, events, front})) {
  part = its;
  await tests(around);
}

await browser.close();
server.stop();
fs.rmSync(work, {recursive: true});
console.log(`${name}: ${passed} checks passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
