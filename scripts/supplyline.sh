#!/bin/sh
# Starts the built program of this checkout with the Node that npm ci installed, whatever Node the
# machine has. The command of npm install -g is a link to this file.
here=$0
[ -L "$here" ] && here=$(readlink -f "$here")
case $here in
*/*) here=${here%/*}/.. ;;
*) here=.. ;;
esac
node=$here/node_modules/node/bin/node
# Without the install scripts of npm ci, the program itself checks the Node of the machine.
[ -x "$node" ] || node=node
exec "$node" "$here/dist/cli.js" "$@"
