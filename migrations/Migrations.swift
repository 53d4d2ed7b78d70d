/// The schema steps, in order: the SQL text of each, as bytes.
package let migrationTexts: [[UInt8]] = [
  PackageResources.m0001_initial_sql, PackageResources.m0002_counts_sql,
  PackageResources.m0003_route_checksums_sql,
]
