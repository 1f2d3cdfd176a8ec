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
    await visit.press('F5');
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
    await visit.quiet(500);
    await shot(visit, 'room-closed');
    await visit.press('Escape');
    await visit.press('Escape');
    await visit.quiet();
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('where no second window may open, this one shows the picture and says what helps', async () => {
    const visit = await Visit.open(browser, address + '#lesson/7/beat/2', {before: () => { window.open = () => null; }});
    await visit.press('F5');
    check(/Allow pop-ups/.test(await visit.told('hinted') || ''), `it says ${await visit.told('hinted')}`);
    await shot(visit, 'one-window');
    await visit.press('Escape');
    await visit.press('Escape');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });
};
