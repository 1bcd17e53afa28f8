import { ensureBuilt } from './build.mjs';

export default function setup(): void {
  ensureBuilt();
}
