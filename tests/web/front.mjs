// The front page, for readers too who have no JavaScript, no WebGL, or a screen that is too small.
import {Visit, sleep} from './browser.mjs';

export default async ({browser, name, address, test, check}) => {
  await test('the front page can be read without JavaScript, and so can each lesson', async () => {
    const page = await browser.newPage();
    const without = name === 'chromium';  // Firefox's protocol does not leave it out
    if (without) await page.setJavaScriptEnabled(false);
    await page.goto(address);
    const text = async () => (await (await page.$('body')).getProperty('innerText')).jsonValue();
    const front = await text();
    for (const words of ['Start here', 'Fourteen lessons', 'Teach with it', 'Get the program', 'as a page to read', ...(without ? ['needs JavaScript'] : [])])
      check(front.includes(words), `the front page does not say "${words}"`);
    for (let lesson = 1; lesson <= 14; ++lesson) {
      for (const what of [`lessons/${lesson}.html`, `pictures/${lesson}.svg`]) {
        const answer = await page.goto(address + what);
        check(answer.status() === 200, `${what}: ${answer.status()}`);
        if (what.startsWith('lessons')) check((await text()).length > 2000, `${what} says little`);
      }
    }
    await page.close();
  });

  await test('it starts nothing before it is asked to, and then what was asked for', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    await sleep(1000);
    const fetched = await page.evaluate(() => performance.getEntriesByType('resource').map(entry => entry.name));
    check(!fetched.some(url => url.includes('.wasm')), 'the program was fetched for who only reads');
    await page.click('a[href="#lesson/4/beat/1"]');
    await page.waitForFunction('tilewalk.first', {timeout: 60000});
    check(await page.evaluate("location.hash.startsWith('#lesson/4/beat/1')"), await page.evaluate('location.hash'));
    check(await page.evaluate("getComputedStyle(document.getElementById('front')).display === 'none'"), 'the front page stays');
    await page.close();
  });

  await test('a lesson\'s page runs no script', async () => {
    const page = await browser.newPage();
    await page.goto(address + 'lessons/6.html');
    const ran = await page.evaluate(() => new Promise(done => {
      const script = document.createElement('script');
      script.textContent = 'window.planted = 1';
      document.body.append(script);
      setTimeout(() => done(window.planted === 1), 300);
    }));
    check(!ran, 'a planted script ran');
    await page.close();
  });

  await test('without WebGL it says so, and a small screen is told what can be read', async () => {
    const plain = await browser.newPage();
    await plain.evaluateOnNewDocument(() => {
      const before = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function(kind, ...rest) { return /webgl/.test(kind) ? null : before.call(this, kind, ...rest); };
    });
    await plain.goto(address + '#lesson/2/beat/1');
    await plain.waitForFunction("!document.getElementById('said').hidden && /WebGL 2/.test(document.getElementById('said').innerText)", {timeout: 60000});
    await plain.close();
    const refused = await browser.newPage();  // a driver that takes no shader
    await refused.evaluateOnNewDocument(() => {
      const before = WebGL2RenderingContext.prototype.shaderSource;
      WebGL2RenderingContext.prototype.shaderSource = function(shader, source) { before.call(this, shader, source + '!'); };
    });
    await refused.goto(address + '#lesson/2/beat/1');
    await refused.waitForFunction("/WebGL could not be set up: .*ERROR/.test(document.getElementById('said').innerText)", {timeout: 60000});
    await refused.close();
    if (name !== 'chromium') return;  // Firefox's protocol makes no small screen
    const phone = await browser.newPage();
    await phone.setViewport({width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 3});
    await phone.goto(address + '#lesson/7/beat/2');
    await sleep(500);
    check(await phone.evaluate("!document.getElementById('small').hidden && document.getElementById('read').getAttribute('href')") ===
          'lessons/7.html', 'a phone is not offered the lesson as a page');
    check(await phone.evaluate('!document.querySelector("script[src*=tilewalk]")'), 'a phone fetches the program unasked');
    await phone.click('#anyway');
    await phone.waitForFunction('tilewalk.first', {timeout: 60000});
    await phone.close();
  });
};
