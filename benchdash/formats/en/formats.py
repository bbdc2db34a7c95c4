"""How English pages write dates: as the names of runs do, with 24 hours."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y H:i"
