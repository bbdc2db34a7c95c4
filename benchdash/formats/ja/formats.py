"""How Japanese pages write times: apart from the day."""

DATETIME_FORMAT = "Y年n月j日 H:i"
