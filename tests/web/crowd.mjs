// A page in a real browser among three hundred that are none: all follow sixty steps of who teaches, and vote.
import WebSocket from 'ws';
import {Visit, sleep} from './browser.mjs';
import {begin} from './classroom.mjs';

const kPages = 299, kSteps = 60;

// A page without a browser; `heard` has when each kind of message came last.
function join(address, secret) {
  const socket = new WebSocket(address.replace('http', 'ws') + 'class', 'tilewalk-class');
  const one = {socket, last: {}, when: {}, say: message => socket.send(JSON.stringify(message))};
  socket.on('open', () => one.say({type: 'join', code: 'k7m-2xq', ...(secret ? {teacher: secret} : {})}));
  socket.on('message', text => {
    const message = JSON.parse(text);
    one.last[message.type] = message;
    one.when[message.type] = Date.now();
  });
  return one;
}
async function all(pages, holds, seconds = 20) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(5))
    if (pages.every(holds)) return true;
  return false;
}
const middle = times => times.sort((a, b) => a - b)[times.length >> 1];

export default async ({browser, name, site, test, check, shot}) => {
  await test('a page among three hundred follows and is counted', async () => {
    const held = await begin(site);
    const learner = await Visit.open(browser, held.learn);
    await learner.quiet();
    const begun = Date.now();
    const teacher = join(held.address, held.teach.split('/').pop());
    const pages = Array.from({length: kPages}, () => join(held.address));
    check(await all([teacher, ...pages], page => page.last.welcome), 'not all pages were let in');
    const joined = Date.now() - begun;

    // When the page has taken a turn, in which it goes there. Its address follows, four times a second at most.
    const turns = () => learner.told('turns');
    const drawn = before => learner.page.evaluate(before => new Promise(done => {
      const look = () => tilewalk.turns > before ? done(Date.now()) : setTimeout(look, 1);
      look();
    }), before);
    const there = hash => learner.page.waitForFunction(hash => location.hash.startsWith(hash), {timeout: 5000}, hash);
    const told = [], shown = [];
    for (let step = 0; step < kSteps; ++step) {
      const place = `lesson/5/beat/${1 + step % 5}`;
      const arrives = drawn(await turns()), pressed = Date.now();
      teacher.say({type: 'lead', link: 'tilewalk://' + place});
      shown.push(await arrives - pressed);
      await there('#' + place);
      check(await all(pages, page => page.last.led?.step === step + 1), `step ${step + 1} did not come to all`);
      told.push(...pages.map(page => page.when.led - pressed));
      await learner.quiet(300);
    }
    await shot(learner, 'class-crowd');

    teacher.say({type: 'ask', asked: {place: 'tilewalk://lesson/6/beat/3', question: 'max', options: 4, right: [1], seed: 1}});
    check(await all(pages, page => page.last.poll?.open), 'the question did not come to all');
    pages.forEach((page, k) => page.say({type: 'vote', poll: 1, round: 1, option: k % 4, sure: 1}));
    check(await all(pages, page => page.last.voted), 'not all votes were taken');
    const voted = Date.now();
    check(await all([teacher], page => page.last.count?.votes === kPages), 'not all votes were counted');
    console.log(`${name}: ${kPages} pages and this one: joined in ${joined} ms; a step came to pages after ${middle(told)} ms, ` +
                `${Math.max(...told)} at worst, and was taken up in this one after ${middle(shown)} ms, ${Math.max(...shown)} at worst; ` +
                `votes counted ${Date.now() - voted} ms behind the last`);
    check(joined < 20000 && middle(told) <= 100 && Math.max(...told) <= 500, 'pages follow too late');
    check(middle(shown) <= 100 && Math.max(...shown) <= 500, 'the page follows too late');
    check(Date.now() - voted < 1000, 'votes are counted too late');
    for (const page of [teacher, ...pages]) page.socket.terminate();
    await learner.close();
    held.server.kill();
  });
};
