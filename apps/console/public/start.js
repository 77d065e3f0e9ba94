// Runs before the first paint, as a file of its own because the content security policy allows no inline script:
// the display mode and the language are on the page root before anything is drawn.
(() => {
  const cookie = (name) => document.cookie.match(new RegExp(`(?:^|; )${name}=([^;]*)`))?.[1];
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', cookie('mode') === 'dark' ? 'dark' : 'light');
  root.lang = { cn: 'zh-Hans', zh: 'zh-Hant', fp: 'fil' }[cookie('locale')] ?? 'en-US';
})();
