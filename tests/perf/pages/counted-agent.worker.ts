import './write-counter';
import '../../../src/workers/agent.worker';
