# done in 0.22 s (drop tables 0.02 s, create tables 0.01 s, client-side generate 0.11 s, vacuum 0.06 s, primary keys 0.03 s).
# [+] Running benchmark...
# pgbench (17.5, server 16.2)
# starting vacuum...end.
# transaction type: <builtin: TPC-B (sort of)>
# scaling factor: 10
# partition method: range
# partitions: 4
# query mode: simple
# number of clients: 50
# number of threads: 1
# maximum number of tries: 1
# duration: 10 s
# number of transactions actually processed: 9487
# number of failed transactions: 3 (0.032%)
# latency average = 52.681 ms (including failures)
# initial connection time = 79.926 ms
# tps = 949.226101 (without initial connection time)
# [+] Done.
