import './resume/moments';
import '../../../src/workers/agent.worker';
