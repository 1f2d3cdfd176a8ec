// A class in browsers: TILEWALK_NATIVE serves it; one page teaches, others follow, answer and come back.
import {Visit, sleep} from './browser.mjs';
import {spawn} from 'node:child_process';

// The server, its address, and the two links that it prints.
export async function begin(site, ...worker) {
  const gpu = worker.length ? worker : ['--no-worker'];
  const server = spawn(process.env.TILEWALK_NATIVE,
                       ['class', '--listen', '127.0.0.1:0', '--site', site, '--code', 'k7m-2xq', ...gpu]);
  let printed = '';
  server.stdout.on('data', text => { printed += text; });
  for (let tries = 0; tries < 100 && !/Only this computer/.test(printed); ++tries) await sleep(100);
  const address = /Join at +(\S+)/.exec(printed)[1];
  return {server, address, learn: address + '#class/k7m-2xq', teach: /Teach at +(\S+)/.exec(printed)[1]};
}

const said = visit => visit.page.evaluate("document.getElementById('mirror').textContent");
// In front, since a page behind others takes no turns.
async function until(visit, words, seconds = 30) {
  await visit.page.bringToFront();
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100))
    if (words.test(await said(visit))) return true;
  return false;
}
async function front(visit) {
  await visit.page.bringToFront();
  await visit.quiet(500);
}
async function click(visit, id) {
  await front(visit);
  await visit.page.mouse.click(...await visit.page.evaluate(id => tilewalk.place(id), id));
  await visit.quiet(300);
}

export default async ({browser, site, test, check, shot}) => {
  await test('a class follows who teaches, answers, and finds back', async () => {
    const held = await begin(site);
    const teacher = await Visit.open(browser, held.teach, {width: 1600, height: 900});
    check(await until(teacher, /You teach/), 'who teaches is not told so');
    check(!/[0-9a-f]{32}/.test(await teacher.page.evaluate('location.href')), 'the secret stays in the address');
    await teacher.go('#lesson/5/beat/3');

    // The front page asks for the code.
    const first = await browser.newPage();
    await first.goto(held.address);
    await first.type('#code', 'K7M2XQ');
    await first.screenshot({path: `${shot.folder}-class-front.png`});
    await first.close();
    const learner = await Visit.open(browser, held.learn), other = await Visit.open(browser, held.learn);
    check(await until(learner, /You are in the class/), 'a learner is not told of the class');
    await shot(learner, 'class-waits');

    await front(teacher);
    await teacher.press('F5', 'Shift');
    check(await until(learner, /You follow the class/), 'the page does not follow');
    await learner.quiet();
    check((await learner.hash()).startsWith('#lesson/5/beat/3'), `the page is at ${await learner.hash()}`);
    await shot(learner, 'class-follows');
    await learner.press('ArrowRight');
    await learner.press('p');  // the beat before
    check(await until(learner, /You look around/), 'looking around is not told');
    await shot(learner, 'class-around');
    await learner.press('j', 'Control');
    check(await until(learner, /You follow the class/), 'Ctrl+J does not lead back');
    check((await learner.hash()).startsWith('#lesson/5/beat/3'), 'Ctrl+J leads elsewhere');

    // Until a question with options is on the wall.
    for (let tries = 0; tries < 40 && !/The class is asked/.test(await said(learner)); ++tries) {
      await front(teacher);
      await teacher.press('PageDown');
      await learner.page.bringToFront();
      await learner.quiet(300);
    }
    check(/The class is asked/.test(await said(learner)), 'no question came to the page');
    await shot(learner, 'class-asked');
    await sleep(600);  // a card that has just come takes no press
    await click(learner, 'vote:0');
    check(await until(learner, /How sure are you/), 'how sure is not asked');
    await click(learner, 'sure:2');
    check(await until(learner, /Your answer is A/), 'the vote is not told');
    check(await until(other, /The class is asked/), 'the other page is not asked');
    await sleep(600);
    await click(other, 'vote:1');
    await click(other, 'sure:0');
    check(await until(other, /2 of 2 have\s+answered/), 'the count is not told');
    await front(teacher);
    await teacher.press('PageDown');
    check(await until(learner, /What the class has answered/), 'the votes are not shown');
    await shot(learner, 'class-votes');
    await front(teacher);
    await teacher.press('PageUp');
    check(await until(learner, /Asked again/), 'the question is not asked again');
    await sleep(600);
    await click(learner, 'vote:1');
    await click(learner, 'sure:1');
    await until(learner, /Your answer is B/);
    await front(teacher);
    await teacher.press('PageDown');
    await teacher.press('PageDown');
    await until(learner, /What the class has answered/);
    await sleep(500);
    await shot(learner, 'class-told');
    await front(teacher);
    await shot(teacher, 'class-presenter');

    // A page that is loaded anew comes back in its seat; who has a wrong code is told.
    await learner.page.bringToFront();
    await learner.page.reload();
    await learner.until('window.tilewalk && tilewalk.first');
    check(await until(learner, /What the class has answered/), 'a page that was loaded anew is not told what was answered');
    await learner.press('Escape');  // while the card is open, it alone is told
    check(await until(learner, /You follow the class/), 'a page that was loaded anew is not in the class');
    const stranger = await Visit.open(browser, held.address + '#class/aaa-aaa');
    check(await until(stranger, /not the class's code/), 'a wrong code is not told');
    await shot(stranger, 'class-stranger');
    await stranger.close();

    // Beats ahead are closed on demand.
    await front(teacher);
    await teacher.press('6', 'Control', 'Shift');
    check(await until(learner, /Beats ahead open when it comes to them/), 'closed beats are not told');
    const open = await learner.hash();
    await learner.go('#lesson/9/beat/2');
    check(await until(learner, /has not come to that yet/), 'a beat ahead was opened');
    check((await learner.hash()).split('?')[0] === open.split('?')[0], `the page is at ${await learner.hash()}`);
    await front(teacher);
    await teacher.press('6', 'Control', 'Shift');
    check(await until(learner, /You follow the class\.(?! Beats)/), 'opened beats are not told');

    await front(teacher);
    await teacher.press('Escape');
    await teacher.press('Escape');
    await teacher.press('j', 'Control');
    check(/2 are here/.test(await said(teacher)), 'the desk does not say how many are here');
    await shot(teacher, 'class-desk');
    await click(teacher, 'command:class-end');
    await click(teacher, 'class:really-end');
    check(await until(learner, /The class is over/), 'the end is not told');
    check(await until(teacher, /What it came to stays here/), 'who teaches is not told what stays');
    await click(teacher, 'command:class-summary');
    check(await until(teacher, /What the class came to/), 'the summary does not open');
    await shot(teacher, 'class-summary');
    await click(teacher, 'summary:1');
    check(await until(teacher, /Question 1 of/), 'the summary has no question');
    await shot(teacher, 'class-summary-question');
    for (const visit of [teacher, learner, other]) {
      check(visit.complaints.length === 0, visit.complaints.join('; '));
      await visit.close();
    }
    held.server.kill();
  });

  await test('pages of a class run kernels on its GPU, one after the other', async () => {
    const standIn = process.env.TILEWALK_NATIVE.replace(/[^/]*$/, 'gpu_stand_in');
    const held = await begin(site, '--worker', `${standIn} slow`);
    const one = await Visit.open(browser, held.learn), two = await Visit.open(browser, held.learn);
    const sizes = [64, 48];
    for (const [k, visit] of [one, two].entries()) {
      await front(visit);
      await visit.go(`#walk?N=${sizes[k]}&d=16&Br=16&Bc=16&view=gpu`);
      check(await until(visit, /Test GPU in the class is ready/), 'the page is not told of the GPU');
    }
    await shot(two, 'class-gpu');
    for (const visit of [one, two]) {
      await front(visit);
      await visit.press('r');
    }
    check(await until(two, /1 run is ahead of yours|Your run is on the class/), 'the place in the queue is not told');
    await shot(two, 'class-waits-for-gpu');
    check(await until(two, /Measured .{0,40}on Test GPU/), 'the second run did not come');
    check(await until(one, /Measured .{0,40}on Test GPU/), 'the first run did not come');
    await shot(one, 'class-measured');
    for (const visit of [one, two]) {
      check(visit.complaints.length === 0, visit.complaints.join('; '));
      await visit.close();
    }
    held.server.kill();
  });
};
