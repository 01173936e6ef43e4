class ItemsController < ApplicationController
  def show
    @html = ERB.new(File.read("card.erb")).result_with_hash(name: params[:name])
  end
end
