// Runs before the first paint and sets the display mode and the language on the page root. It is a separate file,
// because the content security policy allows no inline script.
(() => {
  const cookie = (name) => document.cookie.match(new RegExp(`(?:^|; )${name}=([^;]*)`))?.[1];
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', cookie('mode') === 'dark' ? 'dark' : 'light');
  root.lang = JSON.parse(root.dataset.languages)[cookie('locale')] ?? root.lang;
})();
