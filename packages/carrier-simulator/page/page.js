const $ = (id) => document.getElementById(id);
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });
const count = new Intl.NumberFormat();

let chosen = decodeURIComponent(location.hash.slice(1));
let drawnList = '';
let drawnMessages = '';

async function call(path, options) {
  const response = await fetch(path, options);
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body.data;
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function showCounts(counts) {
  const { accepted, refused, receipts_acknowledged, mo_sent } = counts;
  $('counts').textContent =
    `${count.format(accepted)} segments accepted · ${count.format(refused)} refused · ` +
    `${count.format(receipts_acknowledged)} receipts acknowledged · ${count.format(mo_sent)} sent from handsets`;
}

async function showNumbers() {
  const search = $('search').value;
  const numbers = await call(`/api/handsets?search=${encodeURIComponent(search)}`);
  const drawing = JSON.stringify([numbers, chosen]);
  if (drawing === drawnList) return;
  drawnList = drawing;
  $('no-numbers').hidden = numbers.length > 0;
  $('no-numbers').textContent = search
    ? 'No number here contains that. Any number can be opened: type it in full and press Enter.'
    : 'No messages yet. Send one to any number and it appears here.';
  $('numbers').replaceChildren(
    ...numbers.map(({ number, last }) => {
      const button = element('button');
      button.type = 'button';
      button.dataset.number = number;
      if (number === chosen) button.setAttribute('aria-current', 'true');
      button.append(element('strong', '', number), element('span', '', `${last.from}: ${last.text}`));
      const item = element('li');
      item.append(button);
      return item;
    }),
  );
}

function describe(message) {
  const parts = message.parts.total > 1 ? ` · ${message.parts.received} of ${message.parts.total} parts` : '';
  const fate = message.arrived ? '' : ` · never arrived: ${message.outcome.replaceAll('_', ' ')}`;
  const other = message.direction === 'sent' ? `to ${message.to}` : `from ${message.from}`;
  return `${other} · ${time.format(new Date(message.at))}${parts}${fate}`;
}

async function showMessages() {
  $('screen').classList.toggle('open', chosen !== '');
  $('phone').hidden = chosen === '';
  $('nothing').hidden = chosen !== '';
  if (chosen === '') return;
  const messages = await call(`/api/handsets/${encodeURIComponent(chosen)}`);
  const drawing = JSON.stringify([chosen, messages]);
  if (drawing === drawnMessages) return;
  const moved = $('number').textContent !== chosen;
  drawnMessages = drawing;
  $('number').textContent = chosen;
  const list = $('messages');
  const atEnd = moved || list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  list.replaceChildren(
    ...messages.map((message) => {
      const item = element('li', `${message.direction}${message.arrived ? '' : ' lost'}`);
      item.append(element('div', 'text', message.text), element('p', 'meta', describe(message)));
      return item;
    }),
  );
  if (messages.length === 0) list.append(element('li', 'hint', 'This phone has no messages yet.'));
  if (atEnd) list.scrollTop = list.scrollHeight;
  const newest = messages.findLast((message) => message.direction === 'received');
  // Phones cannot text a name.
  if (moved) $('to').value = /^\+?\d+$/.test(newest?.from ?? '') ? newest.from : '';
}

const show = () => Promise.all([showNumbers(), showMessages()]).catch(() => {});

addEventListener('hashchange', () => {
  chosen = decodeURIComponent(location.hash.slice(1));
  $('answer').textContent = '';
  show();
});
$('numbers').addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) location.hash = encodeURIComponent(button.dataset.number);
});
$('back').addEventListener('click', () => {
  location.hash = '';
});
$('search').addEventListener('input', showNumbers);
$('search').addEventListener('keydown', (event) => {
  const number = $('search').value.replace(/\D/g, '');
  if (event.key === 'Enter' && number !== '') location.hash = number.slice(0, 20);
});
$('reply').addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ to: $('to').value.trim(), text: $('text').value });
  const headers = { 'content-type': 'application/json' };
  const answer = $('answer');
  try {
    const { parts } = await call(`/api/handsets/${encodeURIComponent(chosen)}/replies`, {
      method: 'POST',
      headers,
      body,
    });
    answer.className = '';
    answer.textContent = parts > 1 ? `Sent in ${parts} parts.` : 'Sent.';
    $('text').value = '';
    await show();
  } catch (error) {
    answer.className = 'bad';
    answer.textContent = error.message;
  }
});

const events = new EventSource('/api/events');
events.onmessage = (event) => {
  showCounts(JSON.parse(event.data).counts);
  show();
};
events.onerror = () => {
  $('counts').textContent = 'The simulator does not answer. Waiting for it…';
};
events.onopen = async () => {
  showCounts(await call('/api/counts'));
  show();
};

const profiles = await call('/api/profiles');
$('profile').replaceChildren(...profiles.map((name) => element('option', '', name)));
$('profile').value = (await call('/api/settings')).profile;
$('profile').addEventListener('change', async (event) => {
  const body = JSON.stringify({ profile: event.target.value });
  const headers = { 'content-type': 'application/json' };
  await call('/api/settings', { method: 'PATCH', headers, body }).catch((error) => {
    $('counts').textContent = error.message;
  });
});

for (const [digits, outcome] of Object.entries(await call('/api/magic-numbers'))) {
  $('magic').append(element('dt', '', `…${digits}`), element('dd', '', outcome.replaceAll('_', ' ')));
}
