class ItemsController < ApplicationController
  def show
    @nodes = doc.xpath("//user").select { |user| user["name"] == params[:name] }
  end
end
