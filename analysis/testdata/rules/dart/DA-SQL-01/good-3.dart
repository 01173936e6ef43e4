import 'package:sqflite/sqflite.dart';

Future<List> all(Database db, String table, int limit) {
  return db.rawQuery('select * from $table limit $limit');
}
