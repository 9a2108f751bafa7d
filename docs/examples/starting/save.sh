#!/usr/bin/env bash
# Saves orders.xlsx as CSV with LibreOffice, as a person with German settings does and as one with American settings.
# It needs the program soffice, of Debian's package libreoffice-calc, and writes orders-german.csv and orders-english.csv.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# save LOCALE SEPARATOR FILE, where the separator is the number of a character: 59 is a semicolon, and 44 a comma.
save() {
	local profile
	profile=$(mktemp -d)
	mkdir "$profile/user"
	cat >"$profile/user/registrymodifications.xcu" <<-END
		<?xml version="1.0" encoding="UTF-8"?>
		<oor:items xmlns:oor="http://openoffice.org/2001/registry">
		<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>$1</value></prop></item>
		</oor:items>
	END
	# 34: quotes; 76: UTF-8; 1: from the first row.
	soffice "-env:UserInstallation=file://$profile" --headless \
		--convert-to "csv:Text - txt - csv (StarCalc):$2,34,76,1" --outdir "$profile" orders.xlsx
	mv "$profile/orders.csv" "$3"
	rm -r "$profile"
}

save de-DE 59 orders-german.csv
save en-US 44 orders-english.csv
