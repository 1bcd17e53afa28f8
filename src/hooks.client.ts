/** The texts are fetched beside the first page rather than after it. */
import '$lib/state/preferences.svelte';
