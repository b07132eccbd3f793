#!/bin/sh
# Starts supplyline with the Node beside it. It needs no PATH, and a symbolic link can lead here.
here=$0
if [ -L "$here" ]; then
  for readlink in /usr/bin/readlink /bin/readlink; do
    if [ -x "$readlink" ]; then
      here=$("$readlink" -f "$here")
      break
    fi
  done
fi
case $here in
*/*) here=${here%/*} ;;
*) here=. ;;
esac
# Options for another Node on this machine are not meant for this one.
unset NODE_OPTIONS
exec "$here/lib/supplyline" "$here/dist/cli.js" "$@"
