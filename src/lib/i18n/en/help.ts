export const help = {
  title: 'Help',
  guarantee: 'What is promised',
  guaranteeText:
    'Once a step is shown as saved, no crash, closed tab, lost network, full disk or restart makes Talaria run it, or pay for it, again. When something is killed, at most the model calls in flight at that moment are asked again. Nothing is silently dropped, cut or guessed: a file that could not be read is listed with the reason.',
  seeForYourself: 'Check it in this browser',
  guide: 'In three steps',
  steps: [
    {
      title: 'Start a model',
      text: 'Any server with the OpenAI protocol will do. These lines start Hermes on this computer; one of them is enough.',
    },
    {
      title: 'Pick a folder and say what you want',
      text: 'Under “New task” you see which files will be read, and which are skipped and why, before anything starts.',
    },
    {
      title: 'Leave it alone',
      text: 'Close the tab or the laptop. When you come back it goes on by itself, or after one click where the browser wants your permission for the folder again. The report is shown here and written into the folder, under “talaria”.',
    },
  ],
  questions: 'Questions',
  answers: [
    {
      q: 'Where do my files go?',
      a: 'To the model server you chose, piece by piece, and nowhere else. There is no account, no cloud and no tracking.',
    },
    {
      q: 'Why does it ask for the folder again?',
      a: 'Browsers forget such permissions when the last tab is closed. Choose “Allow on every visit” and it will not ask again.',
    },
    {
      q: 'What happens when the server is off?',
      a: 'The task waits, spends no retries, looks now and then, and goes on when the server answers.',
    },
    {
      q: 'I changed a file. What now?',
      a: 'Press “Look for changes” on the finished task: only that file and what depends on it in the report are made again.',
    },
    {
      q: 'Why is a file of my folder not listed?',
      a: 'Chromium shows no page the files whose names Windows would not allow, such as “why?.txt”, and no shortcuts. Rename the file and press “Look for changes”.',
    },
    {
      q: 'Can I open two tabs?',
      a: 'Yes. One of them works, the others watch. If that one is closed, another takes over.',
    },
  ],
  shortcuts: 'Keyboard',
  codes: 'What can go wrong',
  codesText: 'Every failure has a code that stays the same. Search for the one you were shown.',
  codesSearch: 'Search codes and sentences',
  codesNone: 'No failure of that name.',
};
