# Made by scripts/generate-clients.ts.
VERSION = "0.2.0"
