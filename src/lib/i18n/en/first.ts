import { home } from './home';
import { shell } from './shell';
import { states } from './states';

/** What the first page says, and the frame around every page. */
export const first = { home, shell, states };
