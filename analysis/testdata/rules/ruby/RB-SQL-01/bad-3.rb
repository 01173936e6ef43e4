require 'sinatra'
require 'sqlite3'

get '/users' do
  db = SQLite3::Database.new('app.db')
  db.execute("select * from users where id = #{params[:id]}") # ← here
end
