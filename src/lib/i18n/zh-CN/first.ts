import type { first as shape } from '../en/first';
import { home } from './home';
import { shell } from './shell';
import { states } from './states';

export const first: typeof shape = { home, shell, states };
