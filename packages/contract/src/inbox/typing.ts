/** Notification that a colleague writes a reply; its data are the ids of the conversation's parts and of the person. */
export const TYPING = 'conversation.typing';
