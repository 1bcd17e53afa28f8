// Before the first paint, so that a chosen theme never flashes; the app itself would come too late.
try {
  const theme = localStorage.getItem('talaria.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const language = localStorage.getItem('talaria.language');
  if (language) document.documentElement.lang = language;
} catch {
  // No storage: the system's theme stays.
}
