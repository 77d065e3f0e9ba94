// Runs before the page is drawn, so that a dark page is never white first.

const mode = localStorage.getItem('mode') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
document.documentElement.dataset['mode'] = mode;
