#!/bin/sh
# Ends the process groups it has been told of when its parent goes away, however that happens: the parent
# holds the other end of this pipe. Lines: "watch GROUP" and "forget GROUP".
groups=' '
while read -r word group; do
  case $word in
    watch) groups="$groups$group " ;;
    forget) groups=$(printf '%s' "$groups" | sed "s/ $group / /g") ;;
  esac
done
for group in $groups; do
  kill -s KILL -- "-$group" 2>/dev/null
done
exit 0
