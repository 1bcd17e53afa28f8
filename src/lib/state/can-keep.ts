import { databaseTrouble } from './database-trouble.svelte';
import { shell } from './shell.svelte';

/** False while nothing new could be saved here: what would begin with that is not offered. Reactive. */
export function canKeep(): boolean {
  const found = shell.capabilities;
  return databaseTrouble.failure === null && found?.indexedDb !== 'refused' && found?.secureContext !== false;
}
