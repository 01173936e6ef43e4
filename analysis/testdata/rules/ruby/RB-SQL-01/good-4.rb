class ItemsController < ApplicationController
  def show
    name = ActiveRecord::Base.connection.quote(params[:name])
    Item.where("name = #{name}")
    Item.where(Item.sanitize_sql(["name = ?", params[:name]]))
  end
end
