class ItemsController < ApplicationController
  def show
    User.where("name = ?", params[:name])
    User.where(name: params[:name])
    User.where(["name = :name", { name: params[:name] }])
  end
end
