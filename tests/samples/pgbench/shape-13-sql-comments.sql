select p."Name" from "Playlist" p;
-- latency average = 1.489 ms
-- tps = 671.881577 (including connections establishing)
-- tps = 671.896736 (excluding connections establishing)

create index on "Track" using BTREE ("AlbumId");
-- latency average = 1.353 ms
--tps = 739.765892 (including connections establishing)
--tps = 739.781549 (excluding connections establishing)
