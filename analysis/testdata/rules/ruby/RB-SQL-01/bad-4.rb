class ItemsController < ApplicationController
  def show
    sql = <<~SQL
      select * from accounts where owner = '#{params[:owner]}'
    SQL
    Account.find_by_sql(sql) # ← here
  end
end
