import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from '../search-options.ts';

// Script of the site: search, versions, languages, dark pages, and copying of code.

const MOST_FOUND = 12;
const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const { root = '', up = '' } = document.body.dataset;
const page = document.documentElement;

const theme = byId<HTMLButtonElement>('theme');
const showMode = () => theme.setAttribute('aria-pressed', String(page.dataset['mode'] === 'dark'));
theme.addEventListener('click', () => {
  page.dataset['mode'] = page.dataset['mode'] === 'dark' ? 'light' : 'dark';
  localStorage.setItem('mode', page.dataset['mode']);
  showMode();
});
showMode();

const menu = byId<HTMLButtonElement>('menu');
menu.addEventListener('click', () => {
  const open = menu.getAttribute('aria-expanded') !== 'true';
  menu.setAttribute('aria-expanded', String(open));
});

document.querySelector('.contents [aria-current]')?.scrollIntoView({ block: 'nearest' });

const language = byId<HTMLSelectElement>('language');
language.addEventListener('change', () => location.assign(language.value + location.hash));

/** Fills the versions. The same page may be missing in another one, so the beginning of that is the way. */
async function fillVersions(): Promise<void> {
  const version = byId<HTMLSelectElement>('version');
  const answer = await fetch(`${root}../versions.json`).catch(() => undefined);
  if (!answer?.ok) return;
  const own = version.options[0]!.text;
  const versions = (await answer.json()) as string[];
  version.replaceChildren(...versions.map((each) => new Option(each, each, false, each === own)));
  version.addEventListener('change', async () => {
    const place = location.pathname.split('/').slice(root.split('/').length * -1);
    const same = `${root}../${version.value}/${place.join('/')}`;
    const there = await fetch(same, { method: 'HEAD' }).catch(() => undefined);
    location.assign(there?.ok ? same : `${root}../${version.value}/index.html`);
  });
}
void fillVersions();

for (const block of document.querySelectorAll<HTMLElement>('figure.code')) {
  const { copy = '', copied = '' } = byId('text').dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')!.textContent ?? '');
    button.textContent = copied;
    setTimeout(() => (button.textContent = copy), 2_000);
  });
  block.append(button);
}

const search = byId<HTMLInputElement>('search');
const found = byId<HTMLUListElement>('found');
let reading: Promise<MiniSearch> | undefined;

/** Reads the index at the first search. */
function readIndex(): Promise<MiniSearch> {
  reading ??= fetch(`${up}search.json`)
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, SEARCH_OPTIONS));
  reading.catch(() => (reading = undefined));
  return reading;
}

function show(items: HTMLLIElement[]): void {
  found.replaceChildren(...items);
  found.hidden = items.length === 0;
  search.setAttribute('aria-expanded', String(items.length > 0));
  search.removeAttribute('aria-activedescendant');
}

const said = (text: string) => {
  const item = document.createElement('li');
  item.className = 'said';
  item.textContent = text;
  return item;
};

async function find(): Promise<void> {
  const asked = search.value.trim();
  if (asked === '') return show([]);
  try {
    const index = await readIndex();
    // A slower answer to an older question is not shown.
    if (asked !== search.value.trim()) return;
    const results = index.search(asked).slice(0, MOST_FOUND);
    show(results.length === 0 ? [said(search.dataset['none'] ?? '')] : results.map(itemOf));
  } catch {
    show([said(search.dataset['failed'] ?? '')]);
  }
}

function itemOf(result: Record<string, unknown>, place: number): HTMLLIElement {
  const item = document.createElement('li');
  item.role = 'none';
  const link = document.createElement('a');
  link.href = `${up}${String(result['id'])}.html`;
  link.id = `found-${place}`;
  link.role = 'option';
  link.tabIndex = -1;
  const part = document.createElement('small');
  part.textContent = String(result['part']);
  link.append(String(result['title']), part);
  item.append(link);
  return item;
}

/** Marks the next or previous result. */
function move(by: 1 | -1): void {
  const items = [...found.querySelectorAll<HTMLAnchorElement>('[role=option]')];
  if (items.length === 0) return;
  const now = items.findIndex((item) => item.ariaSelected === 'true');
  const next = items[(now + by + items.length) % items.length]!;
  for (const item of items) item.ariaSelected = String(item === next);
  search.setAttribute('aria-activedescendant', next.id);
  next.scrollIntoView({ block: 'nearest' });
}

search.addEventListener('input', () => void find());
search.addEventListener('focus', () => void find());
search.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Enter') {
    (found.querySelector<HTMLAnchorElement>('[aria-selected=true]') ?? found.querySelector('a'))?.click();
  } else if (event.key === 'Escape') show([]);
});
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('.search')) show([]);
});
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === '/' && !typing) {
    event.preventDefault();
    search.focus();
  }
});
