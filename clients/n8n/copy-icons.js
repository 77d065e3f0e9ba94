// Puts the icon beside each compiled node and credential, where n8n looks for it.
const { copyFileSync } = require('node:fs');

for (const folder of ['credentials', 'nodes/Heliograph', 'nodes/HeliographTrigger'])
  copyFileSync(`${__dirname}/heliograph.svg`, `${__dirname}/dist/${folder}/heliograph.svg`);
