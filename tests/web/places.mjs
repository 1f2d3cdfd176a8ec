// Places: links, back and forward, what outlives the page, tools and presenting.
import {Visit, sleep} from './browser.mjs';

export default async ({browser, address, test, check, shot, colors}) => {
await test('the first visit opens what stands before lesson 1, and says where it is', async () => {
  const visit = await Visit.open(browser, address + '#start');
  check((await visit.hash()).startsWith('#lesson/start'), `the address is ${await visit.hash()}`);
  await shot(visit, 'first');
  const before = await visit.told('turns');
  await sleep(10000);
  check(await visit.told('turns') === before, `${await visit.told('turns') - before} turns in 10 idle seconds`);
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('every lesson opens by its link, with its picture', async () => {
  const visit = await Visit.open(browser, address + '#lesson/1/beat/1');
  for (let lesson = 1; lesson <= 14; ++lesson) {
    await visit.go(`#lesson/${lesson}/beat/2`);
    check((await visit.hash()).startsWith(`#lesson/${lesson}/beat/2`), `lesson ${lesson}: ${await visit.hash()}`);
    await shot(visit, `lesson-${lesson}`);
    check(colors(`lesson-${lesson}`) > 20, `lesson ${lesson} has ${colors(`lesson-${lesson}`)} colours`);
  }
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('back and forward go through places, and a step is no place', async () => {
  const visit = await Visit.open(browser, address + '#lesson/7/beat/1');
  await visit.go('#lesson/6/beat/3');
  await visit.go('#walk/step/12?N=16&d=4&Br=4&Bc=4');
  check((await visit.hash()).startsWith('#walk/step/12'), await visit.hash());
  const entries = await visit.page.evaluate('history.length');
  await visit.press('ArrowRight');
  await visit.press('ArrowRight');
  await visit.until("!location.hash.startsWith('#walk/step/12?')", 10);
  check(await visit.page.evaluate('history.length') === entries, 'a step made an entry of the history');
  await visit.page.evaluate('history.back()');
  await visit.quiet();
  check((await visit.hash()).startsWith('#lesson/6/beat/3'), `back: ${await visit.hash()}`);
  await visit.page.evaluate('history.forward()');
  await visit.quiet();
  check((await visit.hash()).startsWith('#walk/'), `forward: ${await visit.hash()}`);
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('who goes elsewhere while the address is about to be told comes there', async () => {
  const visit = await Visit.open(browser, address + '#walk/step/12?N=16&d=4&Br=4&Bc=4');
  await visit.page.evaluate(async () => {
    const before = tilewalk.turns;
    for (const kind of ['keydown', 'keyup'])
      document.getElementById('canvas').dispatchEvent(new KeyboardEvent(kind, {key: 'ArrowRight', bubbles: true, cancelable: true}));
    while (tilewalk.turns === before) await new Promise(requestAnimationFrame);
    // The page is busy until the address is overdue, and meanwhile somebody presses a link.
    setTimeout(() => { location.hash = '#lesson/3/beat/1'; });
    for (const end = performance.now() + 600; performance.now() < end;);
  });
  await visit.quiet(700);
  check((await visit.hash()).startsWith('#lesson/3/beat/1'), `the page is at ${await visit.hash()}`);
  check(/Lesson 3/.test(await visit.page.evaluate("document.getElementById('mirror').textContent")), 'lesson 3 is not told');
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('a reload in the middle changes nothing', async () => {
  const visit = await Visit.open(browser, address + '#lesson/4/beat/2');
  await visit.page.evaluate("document.querySelector('#mirror [data-id=\"knob:N\"]').focus()");
  await visit.press('ArrowRight');
  await visit.go('#lesson/7/beat/2');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await visit.press(key);
  await sleep(1500);
  const before = await visit.hash(), caption = "document.querySelector('#mirror [data-id=caption]').textContent";
  const said = await visit.page.evaluate(caption);
  await visit.page.reload();
  await visit.until('window.tilewalk && tilewalk.first');
  await visit.quiet();
  check(await visit.hash() === before, `${before} came back as ${await visit.hash()}`);
  check(await visit.page.evaluate(caption) === said, `it says ${await visit.page.evaluate(caption)}`);
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('settings and the place outlive the page', async () => {
  let visit = await Visit.open(browser, address + '#lesson/3/beat/1');
  await visit.press('t');  // dark
  await visit.go('#lesson/5/beat/2');
  await shot(visit, 'dark');
  await sleep(1500);
  await visit.close();
  visit = await Visit.open(browser, address + '#start');
  check((await visit.hash()).startsWith('#lesson/5'), `it begins at ${await visit.hash()}`);
  await shot(visit, 'kept');
  await visit.press('t');
  await visit.press('t');
  await sleep(1500);
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('tools, boards, recordings and presenting', async () => {
  const visit = await Visit.open(browser, address + '#lesson/10/beat/1', {width: 1920, height: 1080});
  for (const [key, what] of [['4', 'roofline'], ['5', 'estimate'], ['6', 'curves']]) {
    await visit.press(key, 'Control');
    await shot(visit, what);
    await visit.press('Escape');
  }
  await visit.press('g', 'Control');
  check(/inputs=/.test(await visit.hash()), `the trained head: ${await visit.hash()}`);
  await visit.go('#walk/step/40');
  await visit.press('4');
  await visit.quiet(1500);
  await shot(visit, 'gpu');
  await visit.press('F8');
  await shot(visit, 'present');
  check(colors('present') > 20, 'nothing is presented');
  await visit.press('F8', 'Control');  // the room's window closes before the page does, which Firefox opens the next one in
  check(!/Presenting/.test(await visit.page.evaluate("document.getElementById('mirror').textContent")), 'Ctrl+F8 does not end it');
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('what is saved comes as a download, what is copied and pasted as text, what is dropped opens', async () => {
  const visit = await Visit.open(browser, address + '#walk/step/12?N=16&d=4&Br=4&Bc=4');
  await visit.press('s', 'Control');
  await visit.until('tilewalk.saved.length > 0', 20);
  check(/^tilewalk-.*\.(svg|png)$/.test((await visit.told('saved'))[0].name), JSON.stringify(await visit.told('saved')));
  await visit.press('c', 'Control');
  check((await visit.told('copied')).startsWith('tilewalk://walk/step/12'), await visit.told('copied'));
  await visit.page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['tilewalk://lesson/7/beat/2\n'], 'a.link'));
    dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
  });
  await visit.until("location.hash.startsWith('#lesson/7')", 10);
  await visit.quiet();
  check((await visit.hash()).startsWith('#lesson/7/beat/2'), `dropped: ${await visit.hash()}`);
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('a link that is no link, and one from hell, say so and do no harm', async () => {
  const visit = await Visit.open(browser, address + '#lesson/999/beat/1');
  await visit.go('#walk/step/12?N=1e99&d=-1&Br=0&seed=' + '9'.repeat(2000));
  await visit.go('#<script>window.bad=1</script>');
  await visit.go('#%00%ff%f0%9f');
  check(await visit.page.evaluate('window.bad === undefined'), 'a script ran');
  await visit.go('#lesson/2/beat/1');
  check((await visit.hash()).startsWith('#lesson/2/beat/1'), await visit.hash());
  check(visit.complaints.length === 0, visit.complaints.join('; '));
  await visit.close();
});

await test('the policy keeps out what is not of this page', async () => {
  const visit = await Visit.open(browser, address + '#start');
  const ran = await visit.page.evaluate(() => new Promise(done => {
    const script = document.createElement('script');
    script.textContent = 'window.planted = 1';
    document.body.append(script);
    const image = document.createElement('img');
    image.setAttribute('onerror', 'window.planted = 2');
    image.src = 'no-such-picture.png';
    document.body.append(image);
    setTimeout(() => fetch('https://example.invalid/').then(() => done('fetched'), () => done(window.planted ? 'ran' : '')), 500);
  }));
  check(ran === '', `a planted script: ${ran}`);
  await visit.close();
});

};
