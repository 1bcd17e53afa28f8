/** Messages between the workers of all tabs of the origin. The sender does not hear itself. */
export interface TabChannel<Message> {
  send(message: Message): void;
  onMessage(listener: (message: Message) => void): void;
}

export function broadcastTabs<Message>(name: string): TabChannel<Message> {
  const channel = new BroadcastChannel(name);
  return {
    send: (message) => {
      channel.postMessage(message);
    },
    onMessage: (listener) => {
      channel.addEventListener('message', (event: MessageEvent<Message>) => {
        listener(event.data);
      });
    },
  };
}
