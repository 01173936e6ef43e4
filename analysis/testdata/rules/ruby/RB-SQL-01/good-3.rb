class ItemsController < ApplicationController
  def show
    id = params[:id].to_i
    Item.where("id = #{id}")
    Item.where("id = #{Integer(params[:id])}")
  end
end
