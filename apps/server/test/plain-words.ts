/** Words that have a plainer one, and that one. */
export const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bcan not\b/i, 'cannot'],
  [/\banew\b/i, 'again'],
  [/\bat once\b/i, 'now, immediately, or at the same time'],
  [/\b(whoever|whom)\b/i, 'the person or program'],
  [/\bwhosever\b/i, 'its owner'],
  [/\bwonder/i, 'nothing: machines do not wonder'],
  [/\bdearest\b/i, 'most expensive'],
  [/\be-mail/i, 'email'],
  [/\bcancel(ed|ing)\b/i, 'cancelled, as the states of the specification'],
  [
    /\b(colour|behaviour|favour|neighbour|honour|centre|catalogue|licence|organis|normalis|recognis|authoris|initialis|serialis|summaris|synchronis|optimis|minimis|maximis|prioritis|localis)/i,
    'the American spelling',
  ],
];
