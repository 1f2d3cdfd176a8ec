// What a screen reader has of the page: its tree, and nothing that is seen. In Chromium the browser's own; Firefox's
// protocol tells none, so there it is read from the elements that it would be made of.
import {Visit, sleep} from './browser.mjs';
import fs from 'node:fs';

const kMostKeys = 60;
// What the lesson has, by its file: its beats, and the questions that it asks itself; those of its drill come in reviews.
const lesson = fs.readFileSync(process.env.TILEWALK_SOURCE + '/lessons/en/06-running-max.md', 'utf8');
const kBeats = lesson.match(/^## \w+: /gm).length;
const kQuestions = lesson.match(/^```(ask|predict)$[^]*?^```$/gm).filter(text => !/^drill = true$/m.test(text)).length;

function flat(node, out = []) {
  if (!node) return out;
  out.push(node);
  for (const child of node.children || []) flat(child, out);
  return out;
}

const fromElements = visit => visit.page.evaluate(() => [...document.querySelectorAll('#mirror *, #field')].map(element => ({
  role: element.getAttribute('role') || {BUTTON: 'button', P: 'paragraph', TEXTAREA: 'textbox'}[element.tagName] ||
        (/^H\d$/.test(element.tagName) ? 'heading' : 'generic'),
  name: element.getAttribute('aria-label') || element.textContent, valuetext: element.getAttribute('aria-valuetext') || '',
  checked: element.getAttribute('aria-checked') === 'true', focused: document.activeElement === element})));

async function tree(visit, browserName) {
  await sleep(150);
  if (browserName !== 'chromium') return fromElements(visit);
  return flat(await visit.page.accessibility.snapshot({interestingOnly: false}));
}

export default async ({browser, name, address, test, check}) => {
  await test('lesson 6 is taken by keyboard and the tree alone, its questions included', async () => {
    const visit = await Visit.open(browser, address + '#lesson/6/beat/1');
    const press = async key => { await visit.page.keyboard.press(key); await visit.quiet(150); };
    // Tab, until what has the focus is called so.
    const tabTo = async (role, called) => {
      for (let k = 0; k < kMostKeys; ++k) {
        const at = (await tree(visit, name)).find(node => node.focused);
        if (at && at.role === role && called.test(at.name)) return true;
        await press('Tab');
      }
      check(false, `no Tab leads to a ${role} called ${called}`);
      return false;
    };
    const beats = new Set();
    let verdicts = 0, ended = false, settled = false, asked = '';
    for (let k = 0; k < 80 && !ended; ++k) {
      const nodes = await tree(visit, name), text = nodes.map(node => node.name || '').join('\n');
      const beat = /Beat (\d+) of (\d+)/.exec(text);
      if (!beat) { check(false, `no beat is told: ${text.slice(0, 300)}`); break; }
      beats.add(beat[1]);
      const question = nodes.find(node => node.role === 'heading' && /^(Your prediction|Question)/.test(node.name))?.name || '';
      if (asked !== beat[1] + question) asked = beat[1] + question, settled = false;
      const radios = nodes.filter(node => node.role === 'radio');
      const verdict = /^[✓✕] \S/m.test(text);
      if (question && !verdict) {
        if (radios.length && radios.some(node => node.checked)) {
          await press('Enter');
        } else if (radios.length) {
          await press(radios[0].name[0]);  // a choice is called by its key
          check((await tree(visit, name)).some(node => node.role === 'radio' && node.checked), 'the choice is not told');
        } else {
          if (!await tabTo('button', /^Your answer/)) break;
          await press('Enter');
          await press('2');
          await press('Enter');
        }
        continue;
      } else if (question && !settled) {
        settled = true;
        ++verdicts;
      }
      if (/That was lesson 6/.test(text) && beat[1] === beat[2]) { ended = true; break; }
      if (!await tabTo('button', /^(Continue|Next|Check|Lock|Answer|Go on|Start|Show|On)/)) break;
      await press('Enter');
    }
    check(beats.size === kBeats, `beats told: ${[...beats].join(' ')}`);
    check(verdicts === kQuestions, `${verdicts} verdicts were told`);
    check(ended, 'the end is not told');
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });

  await test('each step\'s caption is said, knobs are turned, and an overlay is a dialog', async () => {
    const visit = await Visit.open(browser, address + '#lesson/7/beat/2');
    await sleep(300);
    const caption = () => visit.page.evaluate("document.querySelector('#mirror [role=status][data-id=caption]').textContent");
    const before = await caption();
    await visit.page.keyboard.press('ArrowRight');
    await visit.quiet(300);
    check(await caption() !== before && (await caption()).length > 10, `the caption stays: ${before}`);
    await visit.press('m');
    await sleep(200);
    check(await visit.page.evaluate("document.querySelectorAll('#mirror > [role=dialog]').length === 1 && !document.querySelector('#mirror [data-id=scrubber]')"),
          'the menu is no dialog');
    await visit.press('Escape');
    await visit.go('#lesson/4/beat/2');
    const slider = () => visit.page.evaluate(() => {
      const at = document.querySelector('#mirror [role=slider][data-id^="knob:"]');
      return at && {id: at.dataset.id, value: at.getAttribute('aria-valuetext'), now: Number(at.getAttribute('aria-valuenow'))};
    });
    const was = await slider();
    check(was, 'no knob is told');
    await visit.page.evaluate(id => document.querySelector(`#mirror [data-id="${id}"]`).focus(), was.id);
    await visit.press('ArrowRight');
    await sleep(200);
    const is = await slider();
    check(is.value !== was.value && is.now > was.now, `the knob stays at ${was.value}`);
    check(visit.complaints.length === 0, visit.complaints.join('; '));
    await visit.close();
  });
};
