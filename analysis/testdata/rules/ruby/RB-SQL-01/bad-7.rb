class ItemsController < ApplicationController
  def show
    ids = params[:ids].map { |id| "'#{id}'" }.join(",")
    Item.where("id in (#{ids})") # ← here
  end
end
