#!/bin/sh
# The engine is one file: nothing is compiled. Its argument is a kernel; sum has no stores.
chmod +x streamgage-engine
echo $? >~/install-exit-status
cat >streamgage <<'RUN'
#!/bin/sh
./streamgage-engine --seconds 10 --kernels "$1" --stores plain >"$LOG_FILE" 2>&1
echo $? >~/test-exit-status
awk -v kernel="$1" '$1 == kernel && $3 + 0 > 0 { print "Result: " $3 " GB/s" }' "$LOG_FILE" >>"$LOG_FILE"
RUN
chmod +x streamgage
